//! Inputs that are right, or wrong in a way that was thought of: what ships, the corpus, transcripts and the reference.

use std::fs;
use std::path::Path;

use redexter::command::COMMANDS;
use redexter::ground::Random;
use redexter::shipped;

/// Longer seeds are taken piece by piece.
const LONG: usize = 1_200;

/// So many lines make a session.
const LINES: usize = 6;

/// Words of models; in each of these lists two blanks part them.
pub const OF_TERMS: &str = "\
    0  1  3  1.5  n  m  x  y  i  v  f  fst  snd  D  fun  let  if  then  else  ifold  build  real  int  fin  \
    array  type  exp  log  pow  max  min  digamma  vectorSum  grad  deriv  def  import  not  +  *  /  <  <=  \
    =  !=  &&  ||  -  =>  ->  :=  >=  :  ;  (  )  [  ]  {  }  ,  _  \"  --  /-  -/  \
    \ndef f (x : real) : real := ";

/// Words of rules.
pub const OF_RULES: &str = "\
    0  1  n  m  x  y  z  a  b  c  e  f  i  v  k  _  fst  snd  fun  let  if  then  else  ifold  build  real  \
    int  fin  array  exp  pow  D  +  *  -  /  <  =  =>  :=  ;  (  )  [  ]  ,  `  |  where  holds  small  -->  \
    <-->  exact  real_exact  reassociating  rule  rule r =   rule r(k) =   e(x)  f(i)  not  size  work  \
    cheap  x |-> y";

/// Words of scripts.
pub const OF_SCRIPTS: &str = "\
    0  1  3  x  y  s  t  i  let  fn  if  else  while  loop  for  in  break  return  throw  try  catch  const  \
    strategy  rule  use  as  print  load  term  apply  work  normalize  repeat  topDown  bottomUp  all  some  \
    one  id  fail  try_  beta  getBuild  letSubstN(1)  fastGradient  equivalent  check  eval  inputs  steps  \
    trace  args  write  write_futhark  write_jax  split  index_of  len  map  filter  reduce  this  true  #{  }  {  (  )  \
    [  ]  ,  ;  ;;  <+  |  ||  |x|  =  ==  +  +=  *  -  .  ..  ..=  \"  `  ${  \\  //  /*  */";

/// Words of lines at the prompt.
pub const OF_LINES: &str = "\
    :load fuzz.arr  :load models/vector_sum.arr  gradient  f  g  :undo  :redo  :undo 3  :goto 1  :step  \
    :next  :continue  :until  :break  :show  :type  :trace  :log  :tag  :diff  :at  :find  :up  :top  :mark  \
    :rule  :possible  :preview  :why  :why-not  :eval  :count  :cost  :reload  :save s.strat  :load s.strat  \
    :set max-steps 10  :set max-depth 10  :set max-size 100  :set timeout 1  :help  :export futhark o.fut  \
    \n:  .  .body  @a  @  1  0  -1  `  `x * y`  (  )  {  }  [  ]  \"  =  ;  ;;  <+  ,  let  strategy  rule  \
    fun  x  n  topDown  normalize  repeat  beta  getBuild  id  fail  letSubstN(1)  fastGradient  from  work  \
    size  <  rules";

/// Words of JSON, and of arguments of commands.
pub const OF_JSON: &str = "\
    {  }  [  ]  ,  :  \"  \"v\"  \"x\"  \"n\"  \"m\"  \"a\"  \"p\"  \"i\"  \"s\"  null  true  false  []  {}  \
    [1, 2]  [[1], [2]]  NaN  Infinity  =  v=  n=3  \\u0000  1  0";

fn folder(path: &str, ending: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    let mut paths: Vec<_> =
        fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("a file").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|of| of == ending));
    paths.sort();
    let texts = paths.iter().map(|path| fs::read(path).expect("a file"));
    texts.filter_map(|bytes| String::from_utf8(bytes).ok()).collect()
}

/// The blocks of the reference in one of its languages.
fn blocks(language: &str) -> Vec<String> {
    let opening = format!("```{language}");
    let rest = shipped::MANUAL.iter().flat_map(|(_, page)| page.split(&opening).skip(1));
    rest.filter_map(|rest| Some(rest.split_once('\n')?.1.split("\n```").next()?.to_owned())).collect()
}

/// Long texts piece by piece; a piece begins where `begins` stands at the beginning of a line.
fn pieces(texts: Vec<String>, begins: &[&str]) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for text in texts {
        let mut piece = String::new();
        for line in text.split_inclusive('\n') {
            if piece.len() > LONG / 2 && begins.iter().any(|head| line.starts_with(head)) {
                all.push(std::mem::take(&mut piece).into_bytes());
            }
            piece.push_str(line);
        }
        all.push(piece.into_bytes());
    }
    all.retain(|piece| piece.len() < 4 * LONG);
    all
}

pub fn models() -> Vec<Vec<u8>> {
    let folders = ["models", "tests/corpus/right", "tests/corpus/wrong"];
    let texts = folders.into_iter().flat_map(|path| folder(path, "arr")).chain(blocks("arr"));
    pieces(texts.collect(), &["def "])
}

/// The rules that ship, under names that are free.
pub fn rules() -> Vec<Vec<u8>> {
    let texts = shipped::rules().map(|(_, text)| text.replace("\nrule ", "\nrule my"));
    let each: Vec<String> = texts.flat_map(|text| text.split("\n\n").map(str::to_owned).collect::<Vec<_>>()).collect();
    each.into_iter().filter(|rule| rule.contains("rule ")).map(String::into_bytes).collect()
}

pub fn scripts() -> Vec<Vec<u8>> {
    let folders = ["strategies", "tests/corpus/wrong", "tests/corpus/failing"];
    let texts = folders.into_iter().flat_map(|path| folder(path, "strat")).chain(blocks("strat"));
    pieces(texts.collect(), &["strategy ", "rule ", "let ", "print", "//", "fn "])
}

/// Lines that were typed in transcripts, some at a time on a term, and each command's example.
pub fn prompt() -> Vec<Vec<u8>> {
    let typed = |text: &String| -> Vec<String> {
        let lines = text.lines().filter_map(|line| line.strip_prefix("> ").or_else(|| line.strip_prefix("| ")));
        lines.map(str::to_owned).collect()
    };
    let begun =
        |model: &str, name: &str, rest: &[String]| format!(":load {model}\n{name}\n{}", rest.join("\n")).into_bytes();
    let mut all = Vec::new();
    for lines in folder("tests/sessions", "txt").iter().chain(&blocks("session")).map(typed) {
        for some in lines.chunks(LINES) {
            all.push(begun("models/vector_sum.arr", "gradient", some));
            all.push(begun("fuzz.arr", "f", some));
            all.push(some.join("\n").into_bytes());
        }
    }
    for some in COMMANDS.windows(3) {
        let lines: Vec<String> = some.iter().map(|command| command.example.to_owned()).collect();
        all.push(begun("models/vector_sum.arr", "gradient", &lines));
    }
    all
}

pub fn json() -> Vec<Vec<u8>> {
    let texts = [
        "v\n{\"v\": [1, 2.5, -3e-2]}",
        "v\n{\"v\": []}",
        "v\n{\"v\": [], \"n\": 0}",
        "v\nv=[1, 2, 3] n=3",
        "v\n{\"v\": [1]} n=1",
        "p\n{\"p\": [1.5, 2]}",
        "p\n{\"p\": {\"fst\": 1.5, \"snd\": 2}}",
        "p\np=[1, 2]",
        "m\n{\"a\": [[1, 2], [3, 4]], \"i\": 1}",
        "m\n{\"a\": [], \"i\": 0, \"m\": 2, \"n\": 0}",
        "m\na=[[1, 2]] i=0",
        "i\n{\"i\": 2, \"s\": [[1, 2.5], [3, 4]], \"n\": 5}",
        "i\n{\"i\": 0, \"n\": 9223372036854775806, \"s\": [[-9223372036854775808, 0], [9223372036854775807, -0.0]]}",
        "z\n{\"x\": 1e300, \"n\": 4}",
        "z\n{\"x\": \"NaN\", \"n\": 2}",
        "z\n\u{feff}{\"x\": 0.1, \"n\": 3}",
    ];
    texts.map(|text| text.as_bytes().to_vec()).to_vec()
}

/// Numbers that terms are generated from.
pub fn terms() -> Vec<Vec<u8>> {
    let mut random = Random::new(17);
    (0..200).map(|_| (0..24).map(|_| random.below(256) as u8).collect()).collect()
}
