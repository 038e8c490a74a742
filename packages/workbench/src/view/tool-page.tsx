import { useEffect, useMemo, useState } from 'preact/hooks';
import { childrenOf, stateOf } from '../form/edit-form.js';
import { buildForm, type Field } from '../form/field.js';
import { lintSchema } from '../form/lint-schema.js';
import { isObject, type Json, type JsonObject, JsonSyntaxError, parseJson, writeJson } from '../json/json.js';
import { connection } from '../state/connection.js';
import {
  argumentsWithoutSecrets,
  clearForm,
  decodeArguments,
  encodeArguments,
  fillForm,
  formOf,
  type ToolForm,
} from '../state/forms.js';
import { changedTools, definitionTokens, groupOf, markSeen } from '../state/lists.js';
import { hrefOf } from '../state/route.js';
import { latestRun, startRun } from '../state/runs.js';
import type { Tool } from '../state/types.js';
import { FormFields } from './form-fields.js';
import { Badges, CopyButton, formatNumber, Notice, Tabs } from './parts.js';
import { RunView } from './run-view.js';

export function ToolPage({ tool, shared }: { tool: Tool; shared: string | undefined }) {
  const form = formOf(tool);
  const change = changedTools.value.get(tool.name);
  const [sharedNote, setSharedNote] = useState<'filled' | 'broken'>();
  useEffect(() => {
    if (shared === undefined) return;
    const args = decodeArguments(shared);
    if (args) fillForm(tool, args);
    setSharedNote(args ? 'filled' : 'broken');
    history.replaceState(null, '', hrefOf('tools', tool.name));
  }, [tool, shared]);
  useEffect(() => () => markSeen(tool.name), [tool.name]);
  return (
    <>
      <a class="back" href={hrefOf('tools')}>
        ← All tools
      </a>
      <ToolHeader tool={tool} />
      {change === 'changed' && (
        <Notice kind="warn" title="The definition of this tool has changed since the page is open." />
      )}
      {sharedNote === 'filled' && (
        <Notice title="These arguments come from a link.">Check them before you run the tool.</Notice>
      )}
      {sharedNote === 'broken' && <Notice kind="warn" title="The arguments of this link cannot be read." />}
      <Arguments tool={tool} form={form} />
      <RunView tool={tool} run={latestRun(tool.name).value} />
    </>
  );
}

function ToolHeader({ tool }: { tool: Tool }) {
  const title = tool.title ?? tool.annotations?.title ?? tool.name;
  return (
    <header class="tool-header">
      <h1>{title}</h1>
      <p class="tool-meta">
        <code>{tool.name}</code>
        <span>{groupOf(tool)}</span>
        <Badges annotations={tool.annotations} />
        <span title="The size of the name, description and schema that a model gets, about">
          ≈ {formatNumber(definitionTokens(tool))} tokens
        </span>
      </p>
      {tool.description && <p class="description">{tool.description}</p>}
    </header>
  );
}

function Arguments({ tool, form }: { tool: Tool; form: ToolForm }) {
  const [tab, setTab] = useState('form');
  const context = form.create(form.state.value);
  const root = useMemo(() => buildForm(context), [form.state.value, form]);
  const problems = useMemo(() => lintSchema(tool.inputSchema), [tool]);
  const run = latestRun(tool.name).value;
  const isRunning = run?.state === 'running' || run?.state === 'waiting';
  const submit = () => {
    form.isTried.value = true;
    if (form.draft.value?.error !== undefined || hasIssues(root)) {
      document
        .querySelector<HTMLElement>('.args [aria-invalid="true"], .args .issues')
        ?.scrollIntoView({ block: 'center' });
      return;
    }
    void startRun(tool, (form.state.value.value ?? {}) as JsonObject);
  };
  return (
    <section class="panel args" aria-label="Arguments">
      <Tabs
        label="Arguments"
        selected={tab}
        onSelect={setTab}
        tabs={[
          { id: 'form', label: 'Form' },
          { id: 'json', label: 'JSON' },
          { id: 'schema', label: problems.length > 0 ? `Schema (${problems.length})` : 'Schema' },
        ]}
      >
        {tab === 'form' && <FormFields form={form} context={context} root={root} />}
        {tab === 'json' && <JsonEditor form={form} root={root} />}
        {tab === 'schema' && <SchemaView tool={tool} problems={problems} />}
      </Tabs>
      {form.isTried.value && hasIssues(root) && tab !== 'schema' && <IssueSummary root={root} />}
      <div class="actions">
        <button
          type="button"
          data-run
          class="primary"
          disabled={isRunning || connection.value !== 'connected'}
          onClick={submit}
        >
          Run
        </button>
        {hasIssues(root) &&
          form.isTried.value &&
          !isRunning &&
          isObject(form.state.value.value ?? {}) &&
          form.draft.value?.error === undefined && (
            <button type="button" onClick={() => void startRun(tool, (form.state.value.value ?? {}) as JsonObject)}>
              Run all the same
            </button>
          )}
        <button type="button" class="quiet" onClick={() => clearForm(tool)}>
          Clear
        </button>
        <CopyButton label="Copy link" text={() => linkTo(tool, form.state.value.value ?? {})} />
      </div>
    </section>
  );
}

function linkTo(tool: Tool, args: Json): string {
  const link = hrefOf('tools', tool.name, encodeArguments(argumentsWithoutSecrets(tool, args)));
  return `${location.origin}${location.pathname}${link}`;
}

function hasIssues(field: Field): boolean {
  return field.issues.length > 0 || childrenOf(field).some(hasIssues);
}

function issuesIn(field: Field): { pointer: string; label: string; issue: string }[] {
  const own = field.issues.map((issue) => ({ pointer: field.pointer, label: field.label, issue }));
  return [...own, ...childrenOf(field).flatMap(issuesIn)];
}

function IssueSummary({ root }: { root: Field }) {
  const issues = issuesIn(root);
  return (
    <div class="issues" role="alert">
      <strong>
        {issues.length === 1 ? 'One value is not right yet.' : `${issues.length} values are not right yet.`}
      </strong>
      <ul>
        {issues.slice(0, 10).map(({ pointer, label, issue }) => (
          <li key={pointer}>
            <a href={`#${pointer}`} onClick={(event) => focusField(event, pointer)}>
              {label}
            </a>
            : {issue}
          </li>
        ))}
      </ul>
    </div>
  );
}

function focusField(event: MouseEvent, pointer: string): void {
  event.preventDefault();
  document.getElementById(`field${pointer}`)?.focus();
}

/** The same arguments as text; the form follows each valid change. */
function JsonEditor({ form, root }: { form: ToolForm; root: Field }) {
  const { text, error = '' } = form.draft.value ?? { text: writeJson(form.state.value.value ?? {}, 2) };
  const change = (next: string) => {
    try {
      const value = parseJson(next);
      if (isObject(value)) form.state.value = stateOf(value);
      form.draft.value = isObject(value)
        ? { text: next }
        : { text: next, error: 'The arguments of a tool are an object: {…}.' };
    } catch (problem) {
      form.draft.value = { text: next, error: problem instanceof JsonSyntaxError ? problem.message : String(problem) };
    }
  };
  return (
    <div class="json-editor">
      <textarea
        class="mono"
        rows={Math.min(24, Math.max(6, text.split('\n').length + 1))}
        spellcheck={false}
        aria-label="Arguments as JSON"
        aria-invalid={error !== ''}
        aria-describedby="json-error"
        value={text}
        onInput={({ currentTarget }) => change(currentTarget.value)}
      />
      <p id="json-error" class="issue" role="status">
        {error || (hasIssues(root) ? `${issuesIn(root).length} values do not match the schema yet.` : '')}
      </p>
    </div>
  );
}

function SchemaView({ tool, problems }: { tool: Tool; problems: readonly string[] }) {
  return (
    <div>
      {problems.length > 0 && (
        <ul class="lint" aria-label="What some hosts reject">
          {problems.map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      )}
      <h3>Arguments</h3>
      <pre class="text" tabIndex={0} aria-label="Schema of the arguments">
        {writeJson(tool.inputSchema, 2)}
      </pre>
      {tool.outputSchema && (
        <>
          <h3>Result</h3>
          <pre class="text" tabIndex={0} aria-label="Schema of the result">
            {writeJson(tool.outputSchema, 2)}
          </pre>
        </>
      )}
      <CopyButton label="Copy the definition" text={() => writeJson(tool as unknown as Json, 2)} />
    </div>
  );
}
