//! What modules say: golden files, and what can't be exported.
