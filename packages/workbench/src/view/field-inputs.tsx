import { visibleText } from 'mortise/util/visible-text';
import { useState } from 'preact/hooks';
import { setValue, typeNumber, typeText } from '../form/edit-form.js';
import { isSecretField } from '../form/field.js';
import type { Constant } from '../form/option-labels.js';
import { isNumber, isSameJson, JsonSyntaxError, numberText, parseJson, writeJson } from '../json/json.js';
import { type FieldProps, idOf, inputAttributes, placeholderOf, textOf } from './field-scope.js';

export function TextInput({ field, scope }: FieldProps) {
  const text = typeof field.value === 'string' ? field.value : '';
  const onInput = ({ currentTarget }: { currentTarget: HTMLInputElement | HTMLTextAreaElement }) =>
    scope.change(typeText(scope.context.state, field, currentTarget.value));
  if (isSecretField(field)) {
    return (
      <input
        type="password"
        autocomplete="off"
        {...inputAttributes(field, scope)}
        value={text}
        placeholder={placeholderOf(field)}
        onInput={onInput}
      />
    );
  }
  if (field.input.kind === 'text' && field.input.format !== undefined) {
    return (
      <input
        type="text"
        spellcheck={false}
        {...inputAttributes(field, scope)}
        value={text}
        placeholder={placeholderOf(field)}
        onInput={onInput}
      />
    );
  }
  const isMultiLine = field.input.kind === 'text' && field.input.isMultiLine;
  const rows = Math.min(16, Math.max(isMultiLine ? 4 : 1, text.split('\n').length));
  return (
    <textarea
      rows={rows}
      spellcheck={false}
      {...inputAttributes(field, scope)}
      value={text}
      placeholder={placeholderOf(field)}
      onInput={onInput}
    />
  );
}

/** An input for a number. It shows the typed text, such as `1e3`, while this text stands for the field's value. */
export function NumberInput({ field, scope }: FieldProps) {
  const valueText = isNumber(field.value)
    ? numberText(field.value)
    : typeof field.value === 'string'
      ? field.value
      : '';
  const [typed, setTyped] = useState(valueText);
  const typedState = typeNumber(scope.context.state, field, typed);
  const text = isSameJson(typedState.value, scope.context.state.value) ? typed : valueText;
  return (
    <input
      type="text"
      inputMode="decimal"
      autocomplete="off"
      {...inputAttributes(field, scope)}
      value={text}
      placeholder={placeholderOf(field)}
      onInput={({ currentTarget }) => {
        setTyped(currentTarget.value);
        scope.change(typeNumber(scope.context.state, field, currentTarget.value));
      }}
    />
  );
}

export function BooleanInput({ field, scope }: FieldProps) {
  const options: readonly (readonly [string, boolean | undefined])[] = [
    ['true', true],
    ['false', false],
    ...(field.isRequired || field.isNamedByUser ? [] : ([['not sent', undefined]] as const)),
  ];
  return (
    <div class="segmented" role="radiogroup" aria-label={field.label}>
      {options.map(([label, value], index) => (
        <label key={label}>
          <input
            type="radio"
            {...(index === 0 && { id: idOf(field) })}
            name={idOf(field)}
            checked={field.value === value}
            onChange={() => scope.change(setValue(scope.context.state, field.path, value))}
          />
          <span>
            {label}
            {value !== undefined && field.default === value && ' (default)'}
          </span>
        </label>
      ))}
    </div>
  );
}

export function ConstantInput({ field, scope, options }: FieldProps & { options: readonly Constant[] }) {
  const selected = options.findIndex(({ value }) => field.value !== undefined && isSameJson(value, field.value));
  const isOther = field.value !== undefined && selected < 0;
  const description = options[selected]?.description;
  return (
    <>
      <select
        {...inputAttributes(field, scope)}
        value={isOther ? 'other' : String(selected)}
        onChange={({ currentTarget }) => {
          const option = options[Number(currentTarget.value)];
          scope.change(setValue(scope.context.state, field.path, option?.value));
        }}
      >
        <option value="-1">
          {field.default === undefined
            ? field.isRequired
              ? 'Choose …'
              : 'Not sent'
            : `Not sent (default: ${textOf(field.default)})`}
        </option>
        {isOther && <option value="other">{textOf(field.value!)} (not allowed)</option>}
        {options.map(({ value, title }, index) => (
          <option key={index} value={String(index)}>
            {title === undefined ? textOf(value) : title === textOf(value) ? title : `${title} (${textOf(value)})`}
          </option>
        ))}
      </select>
      {description && <p class="hint">{visibleText(description)}</p>}
    </>
  );
}

/** An input for JSON text. It is used for values whose schema does not say their type. */
export function JsonInput({ field, scope }: FieldProps) {
  const [error, setError] = useState('');
  return (
    <>
      <textarea
        class="mono"
        rows={2}
        {...inputAttributes(field, scope)}
        defaultValue={field.value === undefined ? '' : writeJson(field.value, 2)}
        placeholder="JSON"
        onInput={({ currentTarget }) => {
          try {
            const text = currentTarget.value.trim();
            scope.change(setValue(scope.context.state, field.path, text === '' ? undefined : parseJson(text)));
            setError('');
          } catch (problem) {
            setError(problem instanceof JsonSyntaxError ? problem.message : String(problem));
          }
        }}
      />
      {error && <p class="issue">{error}</p>}
    </>
  );
}
