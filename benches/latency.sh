#!/usr/bin/env bash
# How long work goes on after it is to end: `--timeout 1`, Ctrl-C and SIGTERM after a second, on work that is long in as many
# ways as are known, or those whose command holds a word: benches/latency.sh [WORD]. Prints seconds beyond that second, and
# the most megabytes that were held. REDEXTER is the program, a release build unless it is given.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ -z "${REDEXTER:-}" ]; then
    cargo build --release --locked --quiet
    REDEXTER=target/release/redexter
fi
redexter=$(realpath "$REDEXTER")
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
printf 'def f (x : real) : real := x + %s (x * 3)\n' "$(n 20000 'D ')" >tower.arr
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
printf 'term("1.5").apply(repeat(id));\n%s' "$(n 16000 '(repeat(id));')" >called.strat
printf 'rule r = `ifold n (fun a i => (%sg(snd a, i))) z --> z`;\n' "$(n 4000 'f(fst a, i), ')" >tuple.strat
printf 'let s = "1"; for k in 0..20 { s += " + " + s; } term(s);' >term.strat
printf 'let t = term("fun (x : real) => x"); let s = "x"; for k in 0..22 { s = "let x := x + x; " + s; } print(term("fun (x : real) => " + s).apply(normalize(letSubst)));' >shared.strat
size='a + b + c'
printf 'def f {a b c} (v : array a real) (w : array b real) (u : array c real) : real := %s 1 %s\n' "$(n 12 "ifold ($size) (fun s i => s + ")" "$(n 12 ') 0')" >formula.arr
lets() { # a sum of 2^n variables, shared
    local k
    printf 'def f (x : real) : real := let a0 := x + x; '
    for k in $(seq $(($1 - 1))); do printf 'let a%d := a%d + a%d; ' "$k" $((k - 1)) $((k - 1)); done
    printf 'a%d\n' $(($1 - 1))
}
for k in 22 40; do
    lets $k >lets$k.arr
    term="let t = load(\"lets$k.arr\").f.apply(normalize(letSubst));"
    echo "$term print(t);" >printed$k.strat
    echo "$term print(\`\${t}\`.len());" >text$k.strat
    echo "let t = load(\"lets$k.arr\").f.trace(normalize(letSubst)); print(\`\${t}\`.len());" >trace$k.strat
    echo "$term print(equivalent(t, t));" >same$k.strat
    echo "$term print(t.evaluate(#{ x: 1.0 }));" >evaluated$k.strat
    echo "$term print(t.futhark().len());" >exported$k.strat
done
{
    printf 'def f (x : real) := let a0 := (x, x); '
    for k in $(seq 39); do printf 'let a%d := (a%d, a%d); ' "$k" $((k - 1)) $((k - 1)); done
    echo a39
} >pairs.arr
printf 'let s = mulOne; for k in 0..40 { s = s ;; s; } print(term("fun (x : real) => x * 1").apply(try(s)));' >sequence.strat
{
    echo 'strategy s0 = mulOne;'
    for k in $(seq 40); do echo "strategy s$k = try(s$((k - 1))) ;; s$((k - 1));"; done
    echo 'print(`${s40}`.len()); print(term("fun (x : real) => x * 1").apply(try(s40)));'
} >defined.strat
printf 'def f %s (x : real) : real := %s x %s\n' "$(for k in $(seq 40); do printf '{a%d b%d} ' "$k" "$k"; done)" \
    "$(for k in $(seq 40); do printf 'ifold (a%d + b%d) (fun s i => s + ' "$k" "$k"; done)" "$(n 40 ') 0')" >sums.arr
echo 'print(load("sums.arr").f.work); print(load("sums.arr").f.apply(normalize(letSubst)).work);' >sums.strat
mkfifo pipe.arr
truncate -s 3G sparse.arr

cases=(
    'run equivalent.strat' 'run check.strat' 'check large.strat' 'check endless.strat' 'run chain.strat' 'check deriv.arr' 'check tower.arr'
    'check definitions.arr' 'eval sum.arr:f --input numbers.json' 'run doubled.strat' 'run compared.strat' 'run split.strat'
    'run index.strat' 'run replaced.strat' 'run sorted.strat' 'run reversed.strat' 'check items.arr' 'run term.strat'
    'check called.strat' 'check tuple.strat'
    'run shared.strat' 'apply id formula.arr:f --json' 'check pipe.arr' 'check sparse.arr'
    'export futhark pairs.arr:f'
    'run sequence.strat' 'run defined.strat' 'apply id sums.arr:f --json' 'run sums.strat'
)
vast='--max-size 9999999999999'
for k in 22 40; do
    for script in printed text trace same evaluated exported; do cases+=("run $script$k.strat $vast"); done
    cases+=("eval lets$k.arr:f --apply normalize(letSubst) --input {\"x\":1} $vast"
        "export futhark lets$k.arr:f --apply normalize(letSubst) $vast")
    for form in '' --json --json-lines --trace; do cases+=("apply normalize(letSubst) lets$k.arr:f $form $vast"); done
done

over() { # the command, then seconds it takes beyond one, and megabytes
    local before after code=0
    before=$(date +%s%N)
    /usr/bin/time -o memory -f %M "$@" >/dev/null 2>&1 || code=$?
    after=$(date +%s%N)
    awk -v ns=$((after - before)) -v kb="$(tail -1 memory)" -v code=$code \
        'BEGIN { s = ns / 1e9 - 1; printf " %7s %6d %4d", (s < -0.05 ? "ended" : sprintf("%.2f", s)), kb / 1024, code }'
}

printf '%-56s %7s %6s %4s %7s %6s %4s %7s %6s %4s\n' work timeout MB code INT MB code TERM MB code
for work in "${cases[@]}"; do
    [[ $work == *"${1:-}"* ]] || continue
    # shellcheck disable=SC2086
    printf '%-56s%s%s%s\n' "${work% "$vast"}" "$(over timeout -s KILL 60 "$redexter" $work --timeout 1)" \
        "$(over timeout --preserve-status -s INT -k 60 1 "$redexter" $work)" "$(over timeout --preserve-status -s TERM -k 60 1 "$redexter" $work)"
done
