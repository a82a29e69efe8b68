//! Spans of whole numbers, and how they are written.

pub mod interval;
pub mod text;
