/** Applies the hunks of a unified diff whose lines have no line ends. The text keeps its own, and its last one or none. */
export function applyDiff(text, hunks) {
  const bom = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = text.slice(bom.length).split(lineEnd);
  const result = [];
  let at = 0;
  for (const hunk of hunks.split(/^(?=@@ )/m).filter(Boolean)) {
    const [header, ...changes] = hunk.replace(/\n$/, '').split('\n');
    const [, first, count = '1'] = /^@@ -(\d+)(?:,(\d+))? /.exec(header);
    const start = Number(first) - (count === '0' ? 0 : 1);
    result.push(...lines.slice(at, start));
    at = start;
    for (const line of changes) {
      const content = line.slice(1);
      if (line[0] === '+') {
        result.push(content);
        continue;
      }
      if (lines[at] !== content) throw new Error(`Line ${at + 1} is not ${content} but ${lines[at]}`);
      if (line[0] === ' ') result.push(content);
      at += 1;
    }
  }
  result.push(...lines.slice(at));
  const isNew = text === '';
  return isNew ? `${result.filter((_, index) => index < result.length - 1).join('\n')}\n` : bom + result.join(lineEnd);
}
