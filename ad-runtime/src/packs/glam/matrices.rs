//! Nothing yet.

use crate::rules::check::Checked;

pub(super) fn table() -> Vec<Checked> {
    Vec::new()
}
