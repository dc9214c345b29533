//! Rounds of an outermost loop side by side, each whole in its lane.

use redexter::export::c::loaded;
use redexter::export::nest_of;
use redexter::ground::Name;
use redexter::native::CCompiler;
use redexter::nest::{Freedom, Nest, NestForm, NestStyle, Stmt, nest_text};

use crate::native::exact::counted;
use crate::native::read;

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
def chosen {t d} (w : array d (array d real)) (v : array d real) (times : array t real) : array d real :=
  build d (fun i =>
    let x := ifold t (fun x r => build d (fun k =>
      if i = k then v[k] + ifold d (fun a j => a + w[k][j] * x[j]) 0
      else ifold d (fun a j => a + w[k][j] * x[j]) 0 * times[r])) v;
    x[i])
def seen {n k} (keys : array n (fin k)) : array k int :=
  build k (fun c =>
    let h := ifold n (fun h i => build k (fun j =>
      (if keys[i] = j then h[c] else h[j]) + ifold k (fun s l => s + h[l] * int l) 0))
      (build k (fun j => if j = c then 1 else 0));
    ifold k (fun s j => s + h[j]) 0)
";

/// Branches that begin alike go on as they did, apart.
const ALIKE: &str = "
def part {n m} (v : array n real) (w : array m real) : array n real :=
  build n (fun i => ifold m (fun x j => if x < v[i]
    then ifold m (fun a k => a + w[k] * x) 0 + ifold m (fun a k => a + w[k]) v[i]
    else ifold m (fun b k => b + w[k] * x) 0 - ifold m (fun b k => b - w[k]) w[j]) 0)
def nested {n m} (v : array n real) (w : array m real) : array n real :=
  build n (fun i => if v[i] < 0
    then ifold m (fun a k => ifold m (fun b l => b + w[l] * w[k]) a) 0 * ifold m (fun a k => max a w[k]) 1
    else ifold m (fun a k => ifold m (fun b l => b + w[l] * w[l]) a) 0 * ifold m (fun a k => max a w[k]) 1)
";

/// What has to stay as it is: lanes would part, hold much more than there are rounds, or wait for nothing.
const APART: &str = "
def shifted {n m} (v : array n real) (w : array m real) : array n (array m real) :=
  build n (fun i => ifold m (fun x k => build m (fun j => if j = k then x[j] - v[i] else max x[k] (x[j] * v[i]))) w)
def other {n k} (u : array n real) (p : array k real) : array k real :=
  build k (fun c =>
    let x := ifold 3 (fun x s => build n (fun i => x[i] + ifold k (fun a j => a + p[j] * x[i] * p[c]) 0)) u;
    ifold n (fun s i => s + x[i]) 0)
def parted {n m} (v : array n real) (w : array m real) : array n (array m real) :=
  build n (fun i => if v[i] < 0 then w else
    ifold m (fun x k => build m (fun j => if x[k] < v[i] then x[j] * x[k] else x[0 + j])) w)
def cubes {n m} (v : array n real) (a : array m (array m (array m real))) : array n real :=
  build n (fun i =>
    let y := ifold m (fun x k => build m (fun j => build m (fun l => build m (fun o => x[l][j][o] + v[i])))) a;
    ifold m (fun s j => s + y[j][j][j]) 0)
";

fn nests(text: &'static str) -> Vec<(String, Nest)> {
    let form = NestForm::Fused(NestStyle::compiled(Freedom::Exact));
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
    let Some((runs, programs)) = counted(1, || read(ABREAST)) else { return };
    assert!(programs == 8 && runs >= 40, "{runs} runs of {programs} programs");
    let Some((runs, programs)) = counted(1, || read(ALIKE)) else { return };
    assert!(programs == 2 && runs >= 10, "{runs} runs of {programs} programs");
    let Some((runs, programs)) = counted(1, || read(APART)) else { return };
    assert!(programs == 4 && runs >= 20, "{runs} runs of {programs} programs");
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

/// What lanes hold is little beside all operations; those that hold matrices are fewer.
#[test]
fn memory_of_lanes_is_bounded() {
    let blocks = NestStyle { freedom: Freedom::Exact, lanes: 256, long: 256, short: 128, without: None };
    for (name, lanes, in_blocks) in [("gradient", 32, 128), ("seen", 32, 128), ("weights", 8, 64)] {
        let lanes_of = |style: NestStyle| {
            let (_, program) = read(ABREAST).into_iter().find(|(own, _)| own.ends_with(name)).expect("it is there");
            let nest = nest_of(&Name::new(name), &program, &NestForm::Fused(style)).expect("a nest");
            nest.body.iter().find_map(|stmt| if let Stmt::Strips(strips, _) = stmt { Some(strips.lanes) } else { None })
        };
        assert_eq!(lanes_of(NestStyle::compiled(Freedom::Exact)), Some(lanes), "{name}");
        assert_eq!(lanes_of(blocks), Some(in_blocks), "{name}");
    }
}

/// Loaded code asks in loops around others, in lanes, too.
#[test]
fn rounds_abreast_can_be_ended() {
    let (name, program) = read(ABREAST).into_iter().find(|(name, _)| name.ends_with("gradient")).expect("a gradient");
    let target = CCompiler::named("cc").target();
    let text = loaded(&nest_of(&Name::new(&name), &program, &target.form()).expect("a nest"), &target);
    let loops = text.lines().skip_while(|line| !line.contains("lane_")).collect::<Vec<_>>();
    let asks = loops.iter().filter(|line| line.contains("*stop")).count();
    assert!(asks >= 4, "{asks} times:\n{text}");
}
