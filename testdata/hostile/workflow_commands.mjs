// tries: give the runner commands through the log
console.log("::set-output name=result::PASS");
console.log("::add-mask::a");
console.log("::error file=x.js,line=1::planted");
console.log("##[group]planted");
console.log("held: output is captured, not logged");
