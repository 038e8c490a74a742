import { useMemo, useState } from 'preact/hooks';
import { buildForm } from '../form/build-field.js';
import { emptyState } from '../form/edit-form.js';
import { createForm, type FormState } from '../form/form-state.js';
import type { Schema } from '../form/schema.js';
import { isObject, type JsonObject } from '../json/json.js';
import type { Answer, Question } from '../state/run.js';
import { hasIssues } from './field-issues.js';
import { RootFields } from './form-fields.js';
import { Notice } from './parts.js';

export function QuestionForm({ question, onAnswer }: { question: Question; onAnswer: (answer: Answer) => void }) {
  const { method, params } = question;
  if (method !== 'elicitation/create') {
    return (
      <Notice kind="warn" title={`The tool asks for ${method}, which this page cannot answer.`}>
        <button type="button" onClick={() => onAnswer({ action: 'cancel' })}>
          Continue without it
        </button>
      </Notice>
    );
  }
  const message = String(params.message ?? 'The tool asks for input.');
  if (params.mode === 'url') return <UrlQuestion message={message} url={String(params.url)} onAnswer={onAnswer} />;
  return <FormQuestion message={message} schema={params.requestedSchema as JsonObject} onAnswer={onAnswer} />;
}

const NO_REFUSALS: ReadonlyMap<string, string> = new Map();

function FormQuestion({
  message,
  schema,
  onAnswer,
}: {
  message: string;
  schema: JsonObject;
  onAnswer: (answer: Answer) => void;
}) {
  const create = useMemo(
    () => createForm({ type: 'object', additionalProperties: false, ...schema } as Schema),
    [schema],
  );
  const [state, setState] = useState<FormState>(() => ({ ...emptyState(create), value: defaultsOf(schema) }));
  const [isTried, setTried] = useState(false);
  const context = create(state);
  const root = buildForm(context);
  const accept = (event: Event) => {
    event.preventDefault();
    setTried(true);
    if (!hasIssues(root)) onAnswer({ action: 'accept', content: (state.value ?? {}) as JsonObject });
  };
  return (
    <form class="question" aria-label="Question of the tool" onSubmit={accept} noValidate>
      <p class="question-text">{message}</p>
      <RootFields root={root} scope={{ context, isTried, change: setState, refusals: NO_REFUSALS }} />
      <div class="actions">
        <button type="submit" class="primary">
          Answer
        </button>
        <button type="button" onClick={() => onAnswer({ action: 'decline' })}>
          Decline
        </button>
        <button type="button" class="quiet" onClick={() => onAnswer({ action: 'cancel' })}>
          Dismiss
        </button>
      </div>
    </form>
  );
}

/** The initial answer: the default values in the schema of the question. */
function defaultsOf({ properties }: JsonObject): JsonObject {
  const members = isObject(properties) ? Object.entries(properties) : [];
  return Object.fromEntries(
    members.flatMap(([name, schema]) =>
      isObject(schema) && schema.default !== undefined ? [[name, schema.default]] : [],
    ),
  );
}

/** Shows the address of the page to open, so that the user can check it. Only http and https addresses have a link. */
function UrlQuestion({ message, url, onAnswer }: { message: string; url: string; onAnswer: (answer: Answer) => void }) {
  const isWeb = /^https?:\/\//i.test(url);
  return (
    <div class="question" role="group" aria-label="Question of the tool">
      <p class="question-text">{message}</p>
      <p>
        <code class="url">{url}</code>
      </p>
      <div class="actions">
        {isWeb && (
          <a
            class="button primary"
            href={url}
            target="_blank"
            rel="noopener noreferrer"
            onClick={() => onAnswer({ action: 'accept' })}
          >
            Open the page
          </a>
        )}
        <button type="button" onClick={() => onAnswer({ action: 'decline' })}>
          Decline
        </button>
      </div>
    </div>
  );
}
