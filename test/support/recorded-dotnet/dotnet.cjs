// The program `dotnet` of recorded tests. It loads as little as it can: a test run starts it several hundred times.
// state.json in the folder of the program says what to do, and has the recorded runs of the current test.
const fs = require('node:fs');

/** The folders and names that the server makes up for a command; the recording has a number in their place. */
const OWN_NAME = /\bmortise-(?!test-|recorded-)(?:[a-z]+-[A-Za-z0-9]{6}|[0-9a-f]{12})\b/g;

/** @param folder the folder of the program */
module.exports = (folder) => {
  const args = process.argv.slice(2);
  if (args[0] === 'exec') return serveHost(folder);
  const ownNames = [...new Set([...args, process.env.VSTEST_DIAG ?? ''].join('\0').match(OWN_NAME))];
  const state = JSON.parse(fs.readFileSync(`${folder}/state.json`, 'utf8'));
  const command = { args: args.map((arg) => withoutOwnNames(arg, ownNames)), cwd: process.cwd() };
  if (state.mode === 'record') return require('./record.cjs')({ state, folder, command, ownNames, withoutOwnNames });
  const run = takeRun(state, command) ?? ofSdk(state, args);
  if (run) replay(run, ownNames);
  else refuse(state, args);
};

/** What each SDK says of itself is not recorded for each test. */
function ofSdk({ sdk, sdks }, [option, ...more]) {
  const text = more.length > 0 ? undefined : { '--version': sdk, '--list-sdks': `${sdk} [${sdks}]` }[option];
  return text && { lines: [`1 ${text}`], exitCode: 0 };
}

/** The process that evaluates and reads code: each of its requests is a run, whose answer is a file `answer`. */
function serveHost(folder) {
  const readState = () => JSON.parse(fs.readFileSync(`${folder}/state.json`, 'utf8'));
  if (readState().mode === 'record') return require('./record-host.cjs')({ readState, folder, commandOf });
  require('node:readline')
    .createInterface({ input: process.stdin })
    .on('line', (line) => {
      const { id, method, params } = JSON.parse(line);
      if (params === undefined) return;
      const state = readState();
      const run = takeRun(state, commandOf(method, params));
      if (run) write(1, `{"id":${id},"result":${run.files.answer[0]}}\n`);
      else refuse(state, [method, JSON.stringify(params)]);
    });
}

function commandOf(method, { solution, name, projects, action }) {
  const path = solution ?? name ?? projects[0].path;
  return { args: action === undefined ? [method] : [method, action], cwd: path.slice(0, path.lastIndexOf('/')) };
}

function withoutOwnNames(text, ownNames) {
  return ownNames.reduce((result, name, index) => result.replaceAll(name, `‹own ${index + 1}›`), text);
}

function withOwnNames(text, ownNames) {
  return ownNames.reduce((result, name, index) => result.replaceAll(`‹own ${index + 1}›`, name), text);
}

/** The first recorded run of the same command that no process has taken yet. */
function takeRun({ runs, test, taken }, command) {
  const key = JSON.stringify(command);
  const index = runs.findIndex(
    ({ args, cwd }, at) => JSON.stringify({ args, cwd }) === key && isFirst(`${taken}/${test}-${at}`),
  );
  return runs[index];
}

function isFirst(file) {
  try {
    fs.closeSync(fs.openSync(file, 'wx'));
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

function replay({ files = {}, lines, exitCode, untilSignal }, ownNames) {
  const known = (text) => withOwnNames(text, ownNames);
  if (untilSignal) for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(exitCode));
  for (const [path, content] of Object.entries(files)) writeFile(known(path), content, known);
  print(lines, known);
  if (untilSignal) setInterval(() => {}, 2 ** 30);
  else process.exit(exitCode);
}

function writeFile(path, content, known) {
  if (content === null) return fs.rmSync(path, { force: true });
  fs.mkdirSync(path.slice(0, path.lastIndexOf('/')), { recursive: true });
  if (content === 'binary') fs.writeFileSync(path, '');
  else if (Array.isArray(content)) fs.writeFileSync(path, known(content.join('\n')));
  else fs.writeFileSync(path, known(content.utf16le.join('\n')), 'utf16le');
}

/** Longer than the server takes to read one stream before the other. */
const STREAM_CHANGE_MS = 3;

function print(lines, known) {
  let fd;
  let text = '';
  for (const line of lines) {
    const stream = Number(line[0]);
    if (fd !== undefined && stream !== fd) {
      write(fd, text);
      text = '';
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, STREAM_CHANGE_MS);
    }
    fd = stream;
    text += `${known(line.slice(2))}${line[1] === ' ' ? '\n' : ''}`;
  }
  if (fd !== undefined) write(fd, text);
}

function write(fd, text) {
  let rest = Buffer.from(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(fs.writeSync(fd, rest));
    } catch (error) {
      if (error.code === 'EPIPE') return;
      if (error.code !== 'EAGAIN') throw error;
    }
  }
}

function refuse({ unrecorded, name, how }, args) {
  const message = `'dotnet ${args.join(' ')}' in ${process.cwd()} is not recorded for the test '${name}'. ${how}`;
  fs.appendFileSync(unrecorded, `${message}\n`);
  write(2, `${message}\n`);
  process.exit(199);
}
