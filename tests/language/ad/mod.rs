//! D against independent witnesses: the dual numbers of `num-dual`, central finite differences, and its own types.

mod build;
mod calculus;
mod mixed;
mod nested;
mod shape;
