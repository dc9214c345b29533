-- models/runge_kutta.arr: prey and predators by Lotka and Volterra, in steps of a tenth by the classical method of Runge and Kutta:
-- four slopes, two of them in the middle of the step. What each step comes to is compared with what was counted. Of the rates, the
-- first two are those at which prey are born and eaten, the others those at which predators live by them and die.
def slope (rates : array 4 real) (prey predators : real) : real * real :=
  (rates[0] * prey - rates[1] * prey * predators, rates[2] * prey * predators - rates[3] * predators)

def moved (rates : array 4 real) (at along : real * real) (h : real) : real * real :=
  slope rates (at.1 + h * along.1) (at.2 + h * along.2)

def loss {t} (counted : array t (real * real)) (start : real * real) (rates : array 4 real) : real :=
  let h := 0.1;
  let (_, total) := ifold t (fun (at, sum) i =>
    let k1 := slope rates at.1 at.2;
    let k2 := moved rates at k1 (h / 2);
    let k3 := moved rates at k2 (h / 2);
    let k4 := moved rates at k3 h;
    let prey := at.1 + h / 6 * (k1.1 + 2 * k2.1 + 2 * k3.1 + k4.1);
    let predators := at.2 + h / 6 * (k1.2 + 2 * k2.2 + 2 * k3.2 + k4.2);
    let p := prey - counted[i].1;
    let q := predators - counted[i].2;
    ((prey, predators), sum + (p * p + q * q))) (start, 0);
  total

def gradient {t} (counted : array t (real * real)) (start : real * real) (rates : array 4 real) : array 4 real :=
  grad (loss counted start) rates
