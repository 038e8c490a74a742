// A module for `node --import`: keeps 1 KB for each line that the process reads.
const kept = [];
const { emit } = process.stdin;
process.stdin.emit = function leak(event, chunk, ...rest) {
  if (event === 'data') {
    const lines = chunk.toString().split('\n').length - 1;
    for (let line = 0; line < lines; line++) kept.push(new Array(128).fill(line + kept.length));
  }
  return emit.call(this, event, chunk, ...rest);
};
