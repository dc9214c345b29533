#!/usr/bin/env bash
# What the general schedule takes on real models and on generated ones: instructions, counted by valgrind, with those that
# it took before failures were remembered by what a rule sees of its context; seconds, peak memory and rewrites; and the
# exponent in the size of the first term. Takes a quarter of an hour; names of runs (`mixture`, `layers`) pick some.
# REDEXTER is the program, by default that of a release build. See benches/README.md.
set -euo pipefail
cd "$(dirname "$0")/.."

for tool in valgrind time; do
    [ -x "/usr/bin/$tool" ] || { apt-get update -q && apt-get install -y -q "$tool"; } >/dev/null
done
if [ -z "${REDEXTER:-}" ]; then
    cargo build --release --locked --quiet --bin redexter
    REDEXTER=target/release/redexter
fi
made=$(mktemp -d)
trap 'rm -r "$made"' EXIT

# A perceptron with so many hidden layers, and its gradient by all parameters.
layers() {
    awk -v layers="$1" '
        BEGIN {
            size[0] = "d"; size[layers + 1] = "o"
            for (l = 1; l <= layers; l++) size[l] = "h" l
            for (l = 0; l <= layers + 1; l++) sizes = sizes " " size[l]
            parameters = "(x : array n (array d real)) (y : array n (array o real))"
            for (l = 1; l <= layers + 1; l++) {
                name[2 * l - 1] = "w" l; type[2 * l - 1] = "array " size[l] " (array " size[l - 1] " real)"
                name[2 * l] = "b" l; type[2 * l] = "array " size[l] " real"
            }
            all = 2 * layers + 2
            for (k = 1; k <= all; k++) parameters = parameters " (" name[k] " : " type[k] ")"
            print "def layer {m k} (w : array k (array m real)) (b : array k real) (x : array m real) : array k real :="
            print "  build k (fun i => tanh (ifold m (fun sum j => sum + w[i][j] * x[j]) 0 + b[i]))\n"
            print "def loss {n" sizes "} " parameters " : real :=\n  ifold n (fun acc i =>"
            last = "x[i]"
            for (l = 1; l <= layers; l++) {
                print "    let z" l " := layer w" l " b" l " " last ";"
                last = "z" l
            }
            print "    acc + ifold o (fun sum k =>"
            print "      let r := ifold " size[layers] " (fun sum j => sum + " name[all - 1] "[k][j] * " last "[j]) 0 + " \
                name[all] "[k] - y[i][k];"
            print "      sum + r * r) 0) 0\n"
            for (k = 1; k <= all; k++) {
                arguments = "x y"
                for (j = 1; j <= all; j++) arguments = arguments " " (j == k ? "v" : name[j])
                gradient = gradient (k > 1 ? ",\n    " : "") (k % 2 ? "gradMatrix" : "grad") \
                    " (fun v => loss " arguments ") " name[k]
                result = result (k > 1 ? " * " : "") type[k]
            }
            print "def gradient {n" sizes "} " parameters "\n    : " result " :=\n  (" gradient ")"
        }'
}

# One objective that adds up so many mixtures with common parameters, and its gradient.
mixtures() {
    awk -v count="$1" '
        /^-- By the weights/ { exit }
        { print }
        END {
            for (k = 1; k <= count; k++) {
                points = points " x" k
                sum = sum (k > 1 ? " + " : "") "objective x" k " m gamma alpha mu q l"
            }
            types["alpha"] = "array k real"; types["mu"] = types["q"] = "array k (array d real)"
            types["l"] = "array k (array d (array d real))"
            parameters = "{n d} {k >= 1} (" substr(points, 2) " : array n (array d real)) (m : int) (gamma : real)"
            all = split("alpha mu q l", names)
            split("grad gradMatrix gradMatrix gradMatrices", by)
            for (k = 1; k <= all; k++) {
                parameters = parameters " (" names[k] " : " types[names[k]] ")"
                arguments = points " m gamma"
                for (j = 1; j <= all; j++) arguments = arguments " " (j == k ? "p" : names[j])
                gradient = gradient (k > 1 ? ",\n    " : "") by[k] " (fun p => total" arguments ") " names[k]
                result = result (k > 1 ? " * " : "") types[names[k]]
            }
            print "def total " parameters " : real :=\n  " sum "\n"
            print "def gradient " parameters "\n    : " result " :=\n  (" gradient ")"
        }' models/mixture.arr
}

row() { printf '%-22s %9s %9s %14s %8s %8s %8s %8s\n' "$@"; }

# One run: its name, the instructions and seconds before, the definition.
run() {
    local size steps instructions seconds memory
    size=$("$REDEXTER" apply id "$4" --json | wc -c)
    steps=$("$REDEXTER" apply fastGradient "$4" --json | grep -o '"steps":[0-9]*' | cut -d : -f 2)
    instructions=$(valgrind --tool=callgrind --callgrind-out-file=/dev/null "$REDEXTER" apply fastGradient "$4" 2>&1 \
        >/dev/null | awk '/Collected/ { print $4 }')
    read -r seconds memory < <(/usr/bin/time -f '%e %M' "$REDEXTER" apply fastGradient "$4" 2>&1 >/dev/null | tail -1)
    row "$1" "$2" "$3" "$instructions" "$seconds" "$((memory / 1024))" "$steps" "$size"
    echo "$size $instructions $memory" >>"$made/runs"
}

# The slopes of instructions and memory over the size, on logarithmic scales.
exponents() {
    awk -v name="$1" -v before="$2" '
        { x = log($1); y = log($2); z = log($3); n++; sx += x; sy += y; sz += z; sxx += x * x; sxy += x * y; sxz += x * z }
        END {
            if (n > 1) {
                below = n * sxx - sx * sx
                printf "%s: instructions grow as size^%.2f (before: %s), memory as size^%.2f\n", \
                    name, (n * sxy - sx * sy) / below, before, (n * sxz - sx * sz) / below
            }
        }' "$made/runs"
}

# Runs of the models that a function makes of a number, each of which is read with the seconds before.
series() {
    wanted "$1" || return 0
    : >"$made/runs"
    while read -r count seconds; do
        "$1" "$count" >"$made/$1$count.arr"
        run "$count $2" - "$seconds" "$made/$1$count.arr:gradient"
    done
    exponents "$1" "$3"
}

wanted() { [ -z "$only" ] || [[ " $only " == *" $1 "* ]]; }
only="$*"

row run 'before, G' 'before, s' instructions seconds MB rewrites size
wanted mixture && run mixture 5.6 0.5 models/mixture.arr:gradient
wanted perceptron_deep && run perceptron_deep 3.2 0.3 models/perceptron_deep.arr:gradient
wanted bundle_adjustment && run bundle_adjustment 36 4.3 models/bundle_adjustment.arr:jacobianBlock
series layers 'hidden layers' 2.3 <<'END'
1 0.13
2 0.57
3 2.0
4 4.8
6 23
8 100
END
series mixtures mixtures 2.6 <<'END'
1 0.5
2 -
4 25
END
