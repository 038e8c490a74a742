// Runs the real process that evaluates and reads code in the place of the program, and keeps each answer as a run.
const { spawn } = require('node:child_process');
const { writeFileSync } = require('node:fs');
const { delimiter } = require('node:path');
const { createInterface } = require('node:readline');
const { runFile } = require('./record.cjs');

module.exports = ({ readState, folder, commandOf }) => {
  const PATH = process.env.PATH.split(delimiter).filter((entry) => entry !== folder);
  const env = { ...process.env, PATH: PATH.join(delimiter) };
  const stdio = ['pipe', 'pipe', 'inherit'];
  const child = spawn(readState().dotnet, process.argv.slice(2), { stdio, env });
  const runs = new Map();
  createInterface({ input: process.stdin })
    .on('line', (line) => {
      const { id, method, params } = JSON.parse(line);
      const state = readState();
      if (params !== undefined) {
        runs.set(id, { file: runFile(state), workplace: state.workplace, ...commandOf(method, params) });
      }
      child.stdin.write(`${line}\n`);
    })
    .on('close', () => child.stdin.end());
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id, result } = JSON.parse(line);
    const { file, ...run } = runs.get(id) ?? {};
    if (file !== undefined && result !== undefined) {
      const files = { answer: [JSON.stringify(result)] };
      writeFileSync(file, JSON.stringify({ ...run, exitCode: 0, lines: [], files }));
    }
    process.stdout.write(`${line}\n`);
  });
  child.once('exit', (code) => process.exit(code ?? 1));
};
