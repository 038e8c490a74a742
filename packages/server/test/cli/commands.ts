import { expect } from 'vitest';
import { startHttp } from '../../../../test/support/clients.js';
import { createWorkplace, type Workplace } from '../../../../test/support/workplace.js';
import type { COMMANDS } from '../../src/cli/program.js';
import { createPackage } from './create-package.js';
import { ECHO, greeting } from './plugins.js';
import {
  createQuickWorkplace,
  createTrustedWorkplace,
  finish,
  record,
  runMortise,
  runProcess,
  startMortise,
} from './run-mortise.js';

/** One command line of a command, which succeeds. */
interface CommandLine {
  readonly args: readonly string[];
  /** Default: a trusted folder with a plugin. */
  workplace?(): Workplace;
  /** Of a command that runs until it is stopped: stdout or stderr has it once the command is ready, and then a signal ends the command. */
  readonly readyOutput?: string;
  /** What differs between two runs of the command: random values and times. */
  readonly varying?: RegExp;
  /** Starts what the command needs. @returns more arguments */
  prepare?(): Promise<readonly string[]>;
}

const NOTE = `export const register = (api) => {
  api.registerResource({ uri: 'note://today', name: 'Today', read: () => 'buy milk' });
  api.registerPrompt({ name: 'plan', description: 'Plans a day.', get: () => 'Plan my day' });
};`;
const withNote = () => createQuickWorkplace({ 'plugins/note.mjs': NOTE });

/** Every command once. */
export const COMMAND_LINES: Readonly<Record<keyof typeof COMMANDS, CommandLine>> = {
  serve: { args: ['serve'], readyOutput: 'Serving MCP over stdin' },
  workbench: { args: ['workbench', '--no-open', '--port', '0'], readyOutput: '#token=' },
  list: { args: ['list'] },
  call: { args: ['call', 'echo', '--arg', 'text=hi'] },
  read: { args: ['read', 'note://today'], workplace: withNote },
  prompt: { args: ['prompt', 'plan'], workplace: withNote },
  dev: {
    args: ['dev', 'greet', '--call', 'greet', '--arg', 'name=Ada'],
    workplace: () => createTrustedWorkplace({ 'plugins/greet.mjs': greeting('Hello') }),
    readyOutput: 'Hello, Ada!',
  },
  new: { args: ['new', 'word-count', '--plugins', 'plugins'], workplace: createWorkplace },
  init: { args: ['init', '--client', 'cursor'] },
  validate: { args: ['validate'] },
  pack: { args: ['pack', 'notes', '--check'], workplace: createPackage },
  audit: {
    args: ['audit'],
    workplace: () => {
      const workplace = createTrustedWorkplace({}, { Audit: { File: 'audit.jsonl' } });
      workplace.write('audit.jsonl', '');
      return workplace;
    },
  },
  doctor: { args: ['doctor'], varying: /\d+ ms/g },
  status: {
    args: ['status'],
    prepare: async () => ['--url', (await startHttp(createWorkplace({}, { Dotnet: { Enabled: false } }))).url],
  },
  key: { args: ['key', 'new', 'ci'], varying: /[\w-]{30,}/g },
  trust: { args: ['trust', '--list'] },
};

/** Runs the command as a process, and compares what it says with what it says in the process of the test. */
export async function expectSameAsProcess(commandLine: CommandLine) {
  const { workplace: create = withEcho, readyOutput, varying } = commandLine;
  const args = [...commandLine.args, ...((await commandLine.prepare?.()) ?? [])];
  const workplace = create();
  if (readyOutput !== undefined) {
    const child = startMortise(workplace, args);
    const finished = finish(child);
    await Promise.any([child.stdout, child.stderr].map((stream) => record(stream).untilOutput(readyOutput)));
    child.kill('SIGINT');
    expect(await finished).toMatchObject({ code: 0, signal: null });
    return;
  }
  const comparable = (text: string, { folder }: Workplace) =>
    text.replaceAll(folder, '<folder>').replaceAll(varying ?? /(?!)/g, '<varying>');
  const told = async (run: typeof runMortise, place: Workplace) => {
    const { code, stdout, stderr } = await run(place, args);
    return { code, stdout: comparable(stdout, place), stderr: comparable(stderr, place) };
  };
  const asProcess = await told(runProcess, workplace);
  expect(asProcess).toMatchObject({ code: 0, stdout: expect.stringMatching(/\S/) });
  expect(await told(runMortise, create())).toEqual(asProcess);
}

const withEcho = () => createQuickWorkplace({ 'plugins/echo.mjs': ECHO });
