//! Functions on types of other crates, called by those that the tests annotate.
