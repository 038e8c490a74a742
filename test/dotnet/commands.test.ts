import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import cases from '../cases/commands.json' with { type: 'json' };
import { type StandIn, setGlobalJson, startStandIn } from './stand-in.js';

interface Row {
  id: string;
  tool: string;
  arguments: Record<string, unknown>;
  argv: string[];
  globalJson?: object;
}

/** The server's own questions, which may come before or after the command. */
const OWN = [
  /^--version$/,
  /^--list-sdks$/,
  /^--list-runtimes$/,
  /^new list\b/,
  /^msbuild .*-get/,
  /^solution .*list$/,
  /^nuget config paths$/,
];

/** Options that only change the form of the output may follow. */
const FORM =
  /^(?:--format|json|--json|--prefix-output|--no-color|--columns-all|--no-restore|--report|-tl:off|-get(?:Item|Property|ResultOutputFile):.*|--logger|trx;.*|--results-directory|\/.*)$/;

let standIn: StandIn;
beforeAll(async () => {
  standIn = await startStandIn({ 'out/A.1.0.0.nupkg': 'pushed' });
});
afterAll(() => standIn.close());

describe('command lines (test/cases/commands.json)', () => {
  it.each(cases.cases as unknown as Row[])('$id $tool $arguments.action', async (row) => {
    setGlobalJson(standIn.workplace, row.globalJson);
    standIn.recorded();
    const args = { ...row.arguments, machineReadable: true };
    const { content } = await standIn.client.callTool({ name: row.tool, arguments: args });
    const commands = standIn.recorded().filter((argv) => !OWN.some((own) => own.test(argv.join(' '))));
    expect(commands).toHaveLength(1);
    const [argv] = commands;
    expect(argv!.slice(0, row.argv.length)).toEqual(row.argv);
    for (const more of argv!.slice(row.argv.length)) expect(more).toMatch(FORM);
    // Results show what a person would type.
    const [{ text }] = content as unknown as [{ text: string }];
    const { command, errors } = JSON.parse(text);
    const printedCommand: string | undefined = command ?? errors?.[0].data?.command;
    if (printedCommand !== undefined)
      expect(printedCommand.replace(/["\\]/g, '')).toBe(['dotnet', ...row.argv].join(' '));
  });
});
