import { isObject, type Json } from '../json/json.js';
import { findTool } from '../state/lists.js';

type OnAction = (tool: string, args: Json) => void;

const MAX_ERRORS = 20;

/**
 * Shows the errors of an ErrorResponse with their hints and fixes (docs/spec/contract.md#error-response).
 * @param data has a list `errors`
 */
export function ErrorCard({ data, onAction }: { data: Readonly<Record<string, Json>>; onAction: OnAction }) {
  const errors = (data.errors as Json[]).filter(isObject);
  const help = isObject(data.codes) ? data.codes : {};
  const distinct = errors
    .slice(0, MAX_ERRORS)
    .filter(
      (error, index) =>
        errors.findIndex(({ code, message }) => code === error.code && message === error.message) === index,
    );
  return (
    <div class="error-card" role="group" aria-label="Error">
      {distinct.map((error, index) => (
        <ErrorEntry
          key={index}
          error={{ ...(isObject(help[String(error.code)]) ? (help[String(error.code)] as object) : {}), ...error }}
          onAction={onAction}
        />
      ))}
      {errors.length > MAX_ERRORS && <p class="hint">{errors.length - MAX_ERRORS} more errors are in the data.</p>}
    </div>
  );
}

function ErrorEntry({ error, onAction }: { error: Record<string, Json>; onAction: OnAction }) {
  const fixes = Array.isArray(error.suggestedFixes) ? error.suggestedFixes : [];
  const docs =
    typeof error.documentationUrl === 'string' && /^https?:/.test(error.documentationUrl)
      ? error.documentationUrl
      : undefined;
  return (
    <article class="error-entry">
      <p class="error-title">
        <code>{String(error.code)}</code>
        {typeof error.category === 'string' && <span class="badge">{error.category}</span>}
        {typeof error.rootCauseKind === 'string' && <span class="badge">{error.rootCauseKind}</span>}
      </p>
      <p class="error-message">{String(error.message)}</p>
      {typeof error.explanation === 'string' && <p>{error.explanation}</p>}
      {typeof error.hint === 'string' && (
        <p>
          <strong>Hint:</strong> {error.hint}
        </p>
      )}
      {fixes.length > 0 && (
        <ul>
          {fixes.map((fix, index) => (
            <li key={index}>{String(fix)}</li>
          ))}
        </ul>
      )}
      <div class="actions">
        <RecommendedAction action={error.recommendedAction} onAction={onAction} />
        {docs && (
          <a href={docs} target="_blank" rel="noopener noreferrer">
            Documentation
          </a>
        )}
      </div>
    </article>
  );
}

/** A button that fills in the recommended call; only the text of the action if the server does not have its tool. */
function RecommendedAction({ action, onAction }: { action: Json | undefined; onAction: OnAction }) {
  if (typeof action === 'string') return <p>{action}</p>;
  if (!isObject(action)) return null;
  const { description, toolName, command, url } = action;
  const name = String(toolName ?? '');
  const text = String(description ?? `Call ${name}`);
  if (findTool(name) === undefined) {
    return (
      <p>
        {text} {typeof command === 'string' && <code>{command}</code>}
        {typeof url === 'string' && <code>{url}</code>}
      </p>
    );
  }
  return (
    <button type="button" class="primary" onClick={() => onAction(name, action.arguments ?? {})}>
      Fill in: {text}
    </button>
  );
}

/** Shows the members of a result's `lockInfo` (docs/spec/contract.md#lock-info). */
export function LockInfo({ lock }: { lock: Readonly<Record<string, Json>> }) {
  return (
    <dl class="facts" aria-label="Lock">
      {Object.entries(lock).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
        </div>
      ))}
    </dl>
  );
}
