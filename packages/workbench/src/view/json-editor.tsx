import { stateOf } from '../form/edit-form.js';
import type { Field } from '../form/field.js';
import { isObject, JsonSyntaxError, parseJson, writeJson } from '../json/json.js';
import type { ToolForm } from '../state/forms.js';
import { hasIssues, issuesIn } from './field-issues.js';

/** Shows the arguments of a form as JSON text. Each valid change of the text changes the form. */
export function JsonEditor({ form, root }: { form: ToolForm; root: Field }) {
  const { text, error = '' } = form.draft.value ?? { text: writeJson(form.state.value.value ?? {}, 2) };
  const change = (next: string) => {
    form.violations.value = [];
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
      <p id="json-error" class={error || form.isTried.value ? 'issue' : 'hint'} role="status">
        {error || (hasIssues(root) ? mismatchText(issuesIn(root).length) : '')}
      </p>
    </div>
  );
}

function mismatchText(count: number): string {
  return count === 1 ? 'One value does not match the schema yet.' : `${count} values do not match the schema yet.`;
}
