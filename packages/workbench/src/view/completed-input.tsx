import { visibleText } from 'mortise/util/visible-text';
import { useEffect, useState } from 'preact/hooks';
import { isObject, type JsonObject } from '../json/json.js';
import { request } from '../state/connection.js';

/** Completions are requested after this pause in typing. */
const PAUSE_MS = 150;

interface CompletedInputProps {
  readonly label: string;
  readonly description?: string | undefined;
  readonly isRequired?: boolean | undefined;
  readonly value: string;
  readonly onInput: (value: string) => void;
  /** The `ref` of the prompt or resource template that the value belongs to. */
  readonly reference: JsonObject;
  /** The values of all inputs of the prompt or template. */
  readonly context: Readonly<Record<string, string>>;
}

/** A text input with completions from the server, if the server has any. */
export function CompletedInput({
  label,
  description,
  isRequired = false,
  value,
  onInput,
  reference,
  context,
}: CompletedInputProps) {
  const [completions, setCompletions] = useState<readonly string[]>([]);
  const [isFocused, setFocused] = useState(false);
  useEffect(() => {
    if (!isFocused) return;
    const controller = new AbortController();
    const timer = setTimeout(() => {
      void complete(reference, label, value, context, controller.signal).then(
        (values) => values && setCompletions(values),
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [isFocused, label, value]);
  const id = `complete-${label}`;
  return (
    <div class="field">
      <label for={`input-${label}`}>
        <span class="field-label">{label}</span>
        {isRequired && <span class="required">required</span>}
      </label>
      {description && <p class="field-description">{visibleText(description)}</p>}
      <input
        id={`input-${label}`}
        type="text"
        list={id}
        autocomplete="off"
        required={isRequired}
        value={value}
        onFocus={() => setFocused(true)}
        onBlur={() => setFocused(false)}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
      <datalist id={id}>
        {completions.map((completion) => (
          <option key={completion} value={completion} />
        ))}
      </datalist>
    </div>
  );
}

/** @returns undefined if the server cannot complete the value */
async function complete(
  ref: JsonObject,
  name: string,
  value: string,
  values: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  const others = Object.fromEntries(Object.entries(values).filter(([key]) => key !== name));
  try {
    const { completion } = await request(
      'completion/complete',
      { ref, argument: { name, value }, context: { arguments: others } },
      { signal },
    );
    return isObject(completion) && Array.isArray(completion.values) ? completion.values.map(String) : [];
  } catch {
    // The input works without completions.
    return undefined;
  }
}
