# What the scripts here begin with: the program, a release build unless REDEXTER names one, how many numbers a vector of this machine
# has, and the folder of the flags with which `eval --native` compiles. To be sourced in the root of the repository.
if [ -z "${REDEXTER:-}" ]; then
    cargo build --release --locked --quiet --bin redexter
    REDEXTER=target/release/redexter
fi
vectors=2
grep -q avx2 /proc/cpuinfo && vectors=4
grep -q avx512dq /proc/cpuinfo && vectors=8
of=crates/running/src/native/flags
