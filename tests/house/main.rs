//! The sources themselves: who names whom, what is built in, and that planted mistakes can be planted.

mod links;
mod planted;
mod rooms;
mod supply;

#[allow(dead_code, reason = "other programs of tests need more of it")]
#[path = "../support"]
mod support {
    pub mod floors;
    pub mod house;
    pub mod planted;
}
