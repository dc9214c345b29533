//! D against independent witnesses: the dual numbers of `num-dual`, central finite differences, and its own types.

mod build;
mod calculus;
mod nested;
mod shape;
