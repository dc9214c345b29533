//! Rounds of an outermost loop side by side, each whole in its lane.

use redexter::export::nest_of;
use redexter::ground::Name;
use redexter::nest::{Form, Freedom, Nest, Stmt, Style, nest_text};

use crate::exact::counted;
use crate::read;

/// Loops whose state is an array that each round reads as a whole.
const ABREAST: &str = "
def power {n} (a : array n (array n real)) (v : array n real) : array n real :=
  ifold 3 (fun x k => build n (fun i => tanh (ifold n (fun s j => s + a[i][j] * x[j]) 0))) v
def energy {n} (a : array n (array n real)) (v : array n real) : real :=
  let x := power a v; ifold n (fun s i => s + x[i] * x[i]) 0
def gradient {n} (a : array n (array n real)) (v : array n real) : array n real := grad (energy a) v
def net {t d} (x : array t (array d real)) (h : array d real) (w : array d (array d real)) : real :=
  let h := ifold t (fun h i => build d (fun j => tanh (x[i][j] + ifold d (fun s k => s + w[j][k] * h[k]) 0))) h;
  ifold d (fun s j => s + h[j]) 0
def weights {t d} (x : array t (array d real)) (h : array d real) (w : array d (array d real)) : array d (array d real) :=
  gradMatrix (net x h) w
def start {t d} (x : array t (array d real)) (h : array d real) (w : array d (array d real)) : array d real :=
  grad (fun h => net x h w) h
def seen {n k} (keys : array n (fin k)) : array k int :=
  build k (fun c => let h := ifold n (fun h i =>
    build k (fun j => if keys[i] = j then h[c] + int i else h[j] + h[c])) (build k (fun j => if j = c then 1 else 0));
    ifold k (fun s j => s + h[j]) 0)
def shifted {n m} (v : array n real) (w : array m real) : array n (array m real) :=
  build n (fun i => ifold m (fun x k => build m (fun j => if j = k then x[j] - v[i] else max x[k] (x[j] * v[i]))) w)
";

/// What has to stay as it is: lanes would part, or hold more than matrices.
const APART: &str = "
def parted {n m} (v : array n real) (w : array m real) : array n (array m real) :=
  build n (fun i => if v[i] < 0 then w else
    ifold m (fun x k => build m (fun j => if x[k] < v[i] then x[j] * x[k] else x[0 + j])) w)
def cubes {n m} (v : array n real) (a : array m (array m (array m real))) : array n real :=
  build n (fun i =>
    let y := ifold m (fun x k => build m (fun j => build m (fun l => build m (fun o => x[l][j][o] + v[i])))) a;
    ifold m (fun s j => s + y[j][j][j]) 0)
";

fn nests(text: &'static str) -> Vec<(String, Nest)> {
    let form = Form::Fused(Style::compiled(Freedom::Exact));
    let nest = |(name, program): (String, _)| {
        let nest = nest_of(&Name::new(&name), &program, &form).expect("a nest");
        (name, nest)
    };
    read(text).into_iter().map(nest).collect()
}

fn in_lanes(nest: &Nest) -> usize {
    let whole = |stmt: &&Stmt| matches!(stmt, Stmt::Strips(_, inside) if matches!(inside[..], [Stmt::Lanes(..)]));
    nest.body.iter().filter(whole).count()
}

#[test]
fn rounds_abreast_are_the_evaluators() {
    let Some((runs, programs)) = counted(|| read(ABREAST)) else { return };
    assert!(programs == 8 && runs >= 40, "{runs} runs of {programs} programs");
    let Some((runs, programs)) = counted(|| read(APART)) else { return };
    assert!(programs == 2 && runs >= 10, "{runs} runs of {programs} programs");
}

#[test]
fn rounds_that_store_apart_are_abreast() {
    for (name, nest) in nests(ABREAST) {
        let expected = usize::from(!["power", "energy", "net"].iter().any(|whole| name.ends_with(whole)));
        assert_eq!(in_lanes(&nest), expected, "{}", nest_text(&name, &nest));
    }
    for (name, nest) in nests(APART) {
        assert_eq!(in_lanes(&nest), 0, "{}", nest_text(&name, &nest));
    }
}

/// What all lanes have alike stands once.
#[test]
fn what_lanes_share_has_no_lane() {
    let all = nests(ABREAST);
    let (name, nest) = all.iter().find(|(name, _)| name.ends_with("gradient")).expect("a gradient");
    let text = nest_text(name, nest);
    let wide = nest.temporaries.iter().filter(|slot| slot.array.dims.len() == 2).count();
    assert!(wide > 0 && text.lines().any(|line| line.contains("tanh(") && !line.contains("lane")), "{text}");
    assert!(text.lines().any(|line| line.trim_start().starts_with("x.") && !line.contains("lane")), "{text}");
}
