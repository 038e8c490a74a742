import { appendFileSync, chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { createClient, stdioTransport } from '../support/clients.js';
import { createWireCheck, expectValid } from '../support/wire-check.js';
import { makeWorkplace, removeWorkplace, type Workplace } from '../support/workplace.js';

/** Ends the arguments of a call. */
const END = '\u001e';

/** Records the arguments of each call, each followed by NUL, and answers nothing that could be mistaken for an SDK's. */
const PROGRAM = `#!/bin/sh
printf '%s\\0' "$@" '${END}' >> "$RECORDED_CALLS"
echo stand-in
`;

/** A server whose `dotnet` is a recording stand-in, and a client of it. */
export interface StandIn {
  readonly workplace: Workplace;
  readonly client: Client;
  /** The command lines since the last look. */
  recorded(): string[][];
  close(): Promise<void>;
}

/** @param files of the working folder */
export async function startStandIn(files: Record<string, string> = {}): Promise<StandIn> {
  const workplace = makeWorkplace(files, { Dotnet: { Enabled: true } });
  const bin = join(workplace.folder, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'dotnet'), PROGRAM);
  chmodSync(join(bin, 'dotnet'), 0o755);
  const record = join(workplace.folder, 'record');
  appendFileSync(record, '');
  const env = {
    ...workplace.env,
    PATH: [bin, dirname(process.execPath)].join(delimiter),
    RECORDED_CALLS: record,
  };
  const client = createClient('2025-11-25');
  const wire = createWireCheck();
  await client.connect(stdioTransport({ ...workplace, env }, [], wire));
  return {
    workplace,
    client,
    recorded() {
      const calls = readFileSync(record, 'utf8').split(`${END}\0`).filter(Boolean);
      writeFileSync(record, '');
      return calls.map((call) => call.split('\0').slice(0, -1));
    },
    async close() {
      await client.close();
      expectValid(wire);
      removeWorkplace(workplace);
    },
  };
}

/** Puts the text into the working folder's global.json, or takes it away. */
export function setGlobalJson({ folder }: Workplace, content: object | undefined): void {
  const file = join(folder, 'global.json');
  if (content) writeFileSync(file, JSON.stringify(content));
  else if (existsSync(file)) rmSync(file);
}
