import { visibleText } from 'mortise/util/visible-text';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { hasActions } from '../form/action-members.js';
import { buildForm } from '../form/build-field.js';
import type { Field } from '../form/field.js';
import type { FormContext } from '../form/form-state.js';
import { lintSchema } from '../form/lint-schema.js';
import { hasChoices } from '../form/schema-engine.js';
import { isObject, isSameJson, type Json, type JsonObject } from '../json/json.js';
import { connection } from '../state/connection.js';
import {
  argumentsWithoutSecrets,
  canCheck,
  clearForm,
  decodeArguments,
  encodeArguments,
  fillForm,
  formOf,
  loadChecks,
  type ToolForm,
} from '../state/forms.js';
import { arePluginsKnown, changedTools, definitionTokens, groupOf, markSeen } from '../state/lists.js';
import { isOpen, latestRun } from '../state/live-run.js';
import { hrefOf } from '../state/route.js';
import type { Run } from '../state/run.js';
import { startRun } from '../state/runs.js';
import type { Tool } from '../state/types.js';
import { hasIssues, issuesIn } from './field-issues.js';
import { FormFields } from './form-fields.js';
import { JsonEditor } from './json-editor.js';
import { RunView } from './lazy-run-view.js';
import { BackLink, Badges, CopyButton, formatNumber, Notice, Tabs } from './parts.js';
import { SchemaView } from './schema-view.js';
import { scrollToCall } from './scroll-to-call.js';

export function ToolPage({ tool, encodedArgs }: { tool: Tool; encodedArgs: string | undefined }) {
  const form = formOf(tool);
  // The form must not change after it is drawn. A tool with actions waits for the plugins, which say which parameters an
  // action takes. A form whose fields depend on the value waits for the schema engine.
  const isFormKnown =
    (arePluginsKnown.value || !hasActions(tool.inputSchema)) && (canCheck.value || !hasChoices(tool.inputSchema));
  const change = changedTools.value.get(tool.name);
  const run = latestRun(tool.name);
  const [linkState, setLinkState] = useState<'filled' | 'broken'>();
  useEffect(() => {
    if (encodedArgs === undefined) return;
    const args = decodeArguments(encodedArgs);
    if (args) fillForm(tool, args);
    setLinkState(args ? 'filled' : 'broken');
    history.replaceState(null, '', hrefOf('tools', tool.name));
  }, [tool, encodedArgs]);
  useEffect(() => () => markSeen(tool.name), [tool.name]);
  return (
    <>
      <BackLink href={hrefOf('tools')}>All tools</BackLink>
      <ToolHeader tool={tool} />
      {change === 'changed' && (
        <Notice kind="warn" title="The definition of this tool has changed since the page was opened.">
          {run && isOpen(run) && 'The running call continues with the old code.'}
        </Notice>
      )}
      {linkState === 'filled' && (
        <Notice title="These arguments come from a link.">Check them before you run the tool.</Notice>
      )}
      {linkState === 'broken' && <Notice kind="warn" title="The arguments of this link cannot be read." />}
      {isFormKnown ? (
        <Arguments tool={tool} form={form} />
      ) : (
        <section class="panel args" aria-label="Arguments" aria-busy="true" />
      )}
      {run && (
        <div class="call">
          <RunView tool={tool} run={run} />
        </div>
      )}
    </>
  );
}

function ToolHeader({ tool }: { tool: Tool }) {
  const title = visibleText(tool.title ?? tool.annotations?.title ?? tool.name);
  return (
    <header class="tool-header">
      <h1>{title}</h1>
      <p class="tool-meta">
        <code>{tool.name}</code>
        <Badges annotations={tool.annotations} />
        <span title="The approximate size of the name, description and schema that a model gets">
          ≈ {formatNumber(definitionTokens(tool))} tokens
        </span>
        {arePluginsKnown.value && <span class="tool-plugin">{groupOf(tool)}</span>}
      </p>
      {tool.description && <p class="description">{visibleText(tool.description)}</p>}
    </header>
  );
}

function Arguments({ tool, form }: { tool: Tool; form: ToolForm }) {
  const [tab, setTab] = useState('form');
  const context = form.create(form.state.value);
  const root = useMemo(() => buildForm(context), [form.state.value, form, canCheck.value]);
  const problems = useMemo(() => lintSchema(tool.inputSchema), [tool]);
  const run = latestRun(tool.name);
  // While a task continues on the server, the user can call the tool again.
  const isRunning = run !== undefined && isOpen(run) && !run.task;
  const [isChecking, setChecking] = useState(false);
  const submit = async () => {
    if (!canCheck.value) {
      setChecking(true);
      await loadChecks();
      setChecking(false);
    }
    form.isTried.value = true;
    const enteredContext = form.create(form.state.value);
    if (form.draft.value?.error !== undefined || hasIssues(buildForm(enteredContext))) {
      // The summary of the issues is drawn only in the next frame.
      requestAnimationFrame(() => document.querySelector('.args > .issues')?.scrollIntoView({ block: 'nearest' }));
      return;
    }
    form.violations.value = violationsOf(enteredContext);
    if (form.violations.value.length === 0) start();
  };
  const start = () => {
    void startRun(tool, (form.state.value.value ?? {}) as JsonObject);
    scrollToCall();
  };
  const isRefused = hasIssues(root) ? form.isTried.value : form.violations.value.length > 0;
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
        {tab === 'form' && (
          <div class="form-and-json">
            <FormFields form={form} context={context} root={root} refusals={refusalsOf(run, form.state.value.value)} />
            <div class="json-beside">
              <p class="hint" aria-hidden="true">
                The same arguments as JSON
              </p>
              <JsonEditor form={form} root={root} />
            </div>
          </div>
        )}
        {tab === 'json' && <JsonEditor form={form} root={root} />}
        {tab === 'schema' && <SchemaView tool={tool} problems={problems} />}
      </Tabs>
      {isRefused && tab !== 'schema' && <IssueSummary root={root} violations={form.violations.value} />}
      <div class="actions">
        <button
          type="button"
          data-run
          class="primary"
          disabled={isRunning || isChecking || connection.value !== 'connected'}
          onClick={submit}
        >
          Run
        </button>
        {isRefused && !isRunning && form.draft.value?.error === undefined && (
          <button type="button" onClick={start}>
            Run anyway
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

/** Checks the whole schema, for violations that no single field shows: `not`, `contains`, two matching options. */
function violationsOf({ checker, state }: FormContext): string[] {
  try {
    return checker
      .violations(state.value)
      .slice(0, 5)
      .map(({ pointer, message }) => `${pointer || 'The arguments'}: ${message}`);
  } catch {
    // The schema cannot be checked here, so the server decides.
    return [];
  }
}

/**
 * Returns the server's errors about single arguments (docs/spec/arguments.md#schema-violations), by JSON Pointer; none if
 * the arguments were changed after the run.
 */
function refusalsOf(run: Run | undefined, args: Json | undefined): ReadonlyMap<string, string> {
  const data = run?.result?.isError ? run.result.structuredContent : undefined;
  const errors = isObject(data) && Array.isArray(data.errors) ? data.errors.filter(isObject) : [];
  if (run === undefined || !isSameJson(run.args, args ?? {})) return new Map();
  return new Map(
    errors.flatMap((error): [string, string][] => {
      const details = isObject(error.data) && isObject(error.data.additionalData) ? error.data.additionalData : {};
      return typeof details.parameter === 'string' ? [[`/${details.parameter}`, `The server: ${error.message}`]] : [];
    }),
  );
}

function linkTo(tool: Tool, args: Json): string {
  const link = hrefOf('tools', tool.name, encodeArguments(argumentsWithoutSecrets(tool, args)));
  return `${location.origin}${location.pathname}${link}`;
}

function IssueSummary({ root, violations }: { root: Field; violations: readonly string[] }) {
  const issues = issuesIn(root);
  if (issues.length === 0) {
    return (
      <div class="issues" role="alert">
        <strong>The arguments do not match the schema as a whole.</strong>
        <ul>
          {violations.map((violation) => (
            <li key={violation}>{violation}</li>
          ))}
        </ul>
      </div>
    );
  }
  return (
    <div class="issues" role="alert">
      <strong>{issues.length === 1 ? 'One value is invalid.' : `${issues.length} values are invalid.`}</strong>
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
