/- a model of comments
   /- nested -/ only -/ -- and a line