import { useMemo, useState } from 'preact/hooks';
import { SchemaChecker } from '../form/validate.js';
import { isObject, type Json, writeJson } from '../json/json.js';
import { messageOf } from '../rpc/message-of.js';
import { fillForm } from '../state/forms.js';
import { findTool } from '../state/lists.js';
import { go } from '../state/route.js';
import type { Run } from '../state/run.js';
import type { CallResult, Tool } from '../state/types.js';
import { ContentBlocks } from './content-blocks.js';
import { toCommandLine, toCurl } from './copy-texts.js';
import { Diagnostics } from './diagnostics.js';
import { ErrorCard, LockInfo } from './error-card.js';
import { ExchangeView } from './exchange-view.js';
import { JsonTree } from './json-tree.js';
import { LogLines } from './log-lines.js';
import { ModelView } from './model-view.js';
import { CopyButton, Notice, Tabs } from './parts.js';
import { TestResults } from './test-results.js';

export function ResultView({ tool, run }: { tool: Tool; run: Run }) {
  const { result } = run;
  const [tab, setTab] = useState('result');
  const tabs = [
    ...(result ? [{ id: 'result', label: 'Result' }] : []),
    ...(result?.structuredContent === undefined ? [] : [{ id: 'data', label: 'Data' }]),
    ...(result ? [{ id: 'model', label: 'As a model sees it' }] : []),
    ...(run.log.length > 0 ? [{ id: 'log', label: `Log (${run.log.length})` }] : []),
    { id: 'exchange', label: 'Exchange' },
  ];
  const selected = tabs.some(({ id }) => id === tab) ? tab : tabs[0]!.id;
  return (
    <>
      <Tabs label="Views of the result" tabs={tabs} selected={selected} onSelect={setTab}>
        {selected === 'result' && result && <Outcome result={result} />}
        {selected === 'data' && result && <Data tool={tool} result={result} />}
        {selected === 'model' && result && <ModelView result={result} />}
        {selected === 'log' && <LogLines run={run} />}
        {selected === 'exchange' && <ExchangeView exchanges={run.exchanges} />}
      </Tabs>
      <div class="actions">
        {result && <CopyButton label="Copy as JSON" text={() => writeJson(result as unknown as Json, 2)} />}
        <CopyButton label="Copy as mortise call" text={() => toCommandLine(run)} />
        <CopyButton label="Copy as curl" text={() => toCurl(run)} />
      </div>
    </>
  );
}

function Outcome({ result }: { result: CallResult }) {
  const data = isObject(result.structuredContent) ? result.structuredContent : undefined;
  return (
    <div class="outcome">
      {result.isError && data !== undefined && Array.isArray(data.errors) && (
        <ErrorCard data={data} onAction={followAction} />
      )}
      {data !== undefined && <Diagnostics data={data} />}
      {data !== undefined && <TestResults data={data} />}
      {isObject(data?.lockInfo) && <LockInfo lock={data.lockInfo} />}
      <ContentBlocks blocks={result.content} />
      {result.content.length === 0 && <Notice title="The result has no content blocks." />}
    </div>
  );
}

/** Fills the form of the recommended tool. The user decides whether to run it. */
function followAction(name: string, args: Json): void {
  const tool = findTool(name);
  if (!tool) return;
  fillForm(tool, args);
  go('tools', tool.name);
  scrollTo({ top: 0 });
}

/** Data with a longer JSON text is not checked against the output schema. */
const MAX_CHECKED_CHARS = 300_000;

function Data({ tool, result }: { tool: Tool; result: CallResult }) {
  const value = result.structuredContent as Json;
  const verdict = useMemo(() => checkOutput(tool, result), [tool, result]);
  return (
    <>
      {verdict && <Notice kind={verdict.kind} title={verdict.text} />}
      <JsonTree value={value} label="Structured content" {...(verdict?.problems && { problems: verdict.problems })} />
    </>
  );
}

interface Verdict {
  readonly kind: 'good' | 'bad' | 'warn';
  readonly text: string;
  /** The violations by JSON Pointer. */
  readonly problems?: ReadonlyMap<string, string>;
}

/** @returns undefined for a tool without an output schema, and for an error: its data need not match the schema */
function checkOutput({ outputSchema }: Tool, { structuredContent, isError }: CallResult): Verdict | undefined {
  if (outputSchema === undefined || isError) return undefined;
  const value = structuredContent as Json;
  if (writeJson(value).length > MAX_CHECKED_CHARS)
    return { kind: 'warn', text: 'The data is too large to check it against the output schema.' };
  try {
    const violations = new SchemaChecker(structuredClone(outputSchema) as never).violations(value);
    if (violations.length === 0) return { kind: 'good', text: 'The data matches the output schema.' };
    const problems = new Map(violations.map(({ pointer, message }) => [pointer, message]));
    return { kind: 'bad', text: 'The data does not match the output schema.', problems };
  } catch (error) {
    return { kind: 'warn', text: `The output schema cannot be checked: ${messageOf(error)}` };
  }
}
