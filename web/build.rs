//! The stack of the module, in its memory. The engine that runs the module has another one, of about a megabyte, which
//! is the narrower of the two: the depth that is allowed (`src/lib.rs`) keeps to that one.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_FAMILY").is_ok_and(|family| family == "wasm") {
        println!("cargo::rustc-link-arg-cdylib=-zstack-size=4194304");
    }
}
