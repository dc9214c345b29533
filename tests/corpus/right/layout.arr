-- White space means nothing.
def
one
(x:real):real:=x+1-- eval
def two(x:real)(y:real):real:=x*y+(x-y)  def three{n}(v:array n real):array n real:=build n(fun i=>v[i])
def four(x:real):real:=let y:=x;if y<(1)then(2)else(3)
-- eval one {"x": 1} = 2.0
-- eval two {"x": 3, "y": 2} = 7.0
-- eval three {"v": [1]} = [1.0]
-- eval four {"x": 3} = 3.0
	def	tabs	(x	:	real)	:=	x
-- eval tabs {"x": 3} = 3.0
