pub mod turn;
