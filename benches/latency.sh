#!/usr/bin/env bash
# How long work goes on after it is to end: `--timeout 1`, Ctrl-C and SIGTERM after a second, on work that is long in as many
# ways as are known. Prints seconds beyond that second, and the most megabytes that were held.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo build --release --locked --quiet
redexter=$PWD/target/release/redexter
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

n() { printf "%0.s$2" $(seq "$1"); }
chain() { # so many maps, one after another
    printf 'def f (v : array 3 real) : array 3 real := '
    n "$1" 'build 3 (fun i => ('
    printf 'v'
    n "$1" ')[i] + 1)'
    printf '\n'
}

array='let t = term("fun (v : array 50000000 real) => v[0]");'
printf '%s equivalent(t, t);' "$array" >equivalent.strat
printf '%s check(id, t);' "$array" >check.strat
printf 'rule r = `ifold (n + 1) f z --> ifold n (fun a i => f a (i + 1)) (f z 99999999)`;\n' >large.strat
printf 'rule r = `ifold 9223372036854775807 f z --> z`;\n' >endless.strat
chain 3000 >chain.arr
printf 'print(load("chain.arr").f.apply(force(repeat(topDown(letSubst) <+ id))));' >chain.strat
printf 'def f (x : real) : real := %s x * x %s\n' "$(n 12 'deriv (fun (x : real) => ')" "$(n 12 ') x')" >deriv.arr
for k in $(seq 80000); do echo "def f$k (x : real) : real := x + $k"; done >definitions.arr
printf 'def f {n} (v : array n real) : real := vectorSum v\n' >sum.arr
{ printf '{"v": ['; awk 'BEGIN { for (k = 0; k < 6e6; k++) printf "1.5," }'; printf '1]}'; } >numbers.json
printf 'let s = id; for k in 0..40 { s = s ;; s; } print(`${s}`.len());' >doubled.strat
printf 'let s = id; let t = id; for k in 0..40 { s = s ;; s; t = t ;; t; } print(s == t);' >compared.strat
printf 'let s = "a,"; for k in 0..22 { s += s; } for k in 0..1000 { s.split(","); }' >split.strat
printf 'let s = "a"; for k in 0..22 { s += s; } for k in 0..100000 { s.index_of("b"); }' >index.strat
printf 'let s = "a"; for k in 0..22 { s += s; } for k in 0..1000 { let t = s; t.replace("a", s); }' >replaced.strat
printf 'let a = [1]; for k in 0..18 { a += a; } for k in 0..1000 { let b = a + a; b.sort(); b.reverse(); }' >sorted.strat
printf 'print(term("fun (x y : real) => x / y").apply(normalize(divRecip.reverse <+ constFold)));' >reversed.strat
printf 'def f : array 500001 real := [%s1]\n' "$(n 500000 '1.5, ')" >items.arr
printf 'let s = "1"; for k in 0..20 { s += " + " + s; } term(s);' >term.strat
printf 'let t = term("fun (x : real) => x"); let s = "x"; for k in 0..22 { s = "let x := x + x; " + s; } print(term("fun (x : real) => " + s).apply(normalize(letSubst)));' >shared.strat
size='a + b + c'
printf 'def f {a b c} (v : array a real) (w : array b real) (u : array c real) : real := %s 1 %s\n' "$(n 12 "ifold ($size) (fun s i => s + ")" "$(n 12 ') 0')" >formula.arr
mkfifo pipe.arr
truncate -s 3G sparse.arr

cases=(
    'run equivalent.strat' 'run check.strat' 'check large.strat' 'check endless.strat' 'run chain.strat' 'check deriv.arr'
    'check definitions.arr' 'eval sum.arr:f --input numbers.json' 'run doubled.strat' 'run compared.strat' 'run split.strat'
    'run index.strat' 'run replaced.strat' 'run sorted.strat' 'run reversed.strat' 'check items.arr' 'run term.strat'
    'run shared.strat' 'apply id formula.arr:f --json' 'check pipe.arr' 'check sparse.arr'
)

over() { # the command, then seconds it takes beyond one, and megabytes
    local before after code=0
    before=$(date +%s%N)
    /usr/bin/time -o memory -f %M "$@" >/dev/null 2>&1 || code=$?
    after=$(date +%s%N)
    awk -v ns=$((after - before)) -v kb="$(tail -1 memory)" -v code=$code \
        'BEGIN { s = ns / 1e9 - 1; printf " %7s %6d %4d", (s < -0.05 ? "ended" : sprintf("%.2f", s)), kb / 1024, code }'
}

printf '%-44s %7s %6s %4s %7s %6s %4s %7s %6s %4s\n' work timeout MB code INT MB code TERM MB code
for work in "${cases[@]}"; do
    # shellcheck disable=SC2086
    printf '%-44s%s%s%s\n' "$work" "$(over timeout -s KILL 60 "$redexter" $work --timeout 1)" \
        "$(over timeout --preserve-status -s INT -k 60 1 "$redexter" $work)" "$(over timeout --preserve-status -s TERM -k 60 1 "$redexter" $work)"
done
