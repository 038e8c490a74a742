import { useEffect, useRef, useState } from 'preact/hooks';
import {
  addItem,
  addMember,
  addValue,
  choose,
  moveItem,
  remove,
  renameMember,
  setValue,
  typeNumber,
  typeText,
} from '../form/edit-form.js';
import { type Field, isSecretField, type ListInput, type ObjectInput } from '../form/field.js';
import type { FormContext, FormState } from '../form/form-state.js';
import { isNumber, isSameJson, type Json, JsonSyntaxError, numberText, parseJson, writeJson } from '../json/json.js';
import type { ToolForm } from '../state/forms.js';

/** What the fields of a form need: a change makes the next state. */
export interface FieldScope {
  readonly context: FormContext;
  /** Whether missing values are reported. */
  readonly isTried: boolean;
  readonly change: (next: FormState) => void;
}

export function FormFields({ form, context, root }: { form: ToolForm; context: FormContext; root: Field }) {
  const change = (next: FormState) => {
    form.state.value = next;
    form.draft.value = undefined;
  };
  return <RootFields root={root} scope={{ context, isTried: form.isTried.value, change }} />;
}

export function RootFields({ root, scope }: { root: Field; scope: FieldScope }) {
  const takesNothing = root.choices.length === 0 && root.input.kind === 'object' && root.input.members.length === 0;
  return (
    <div class="fields">
      {takesNothing && <p class="hint">This tool describes no arguments.</p>}
      <Choices field={root} scope={scope} />
      <FieldInputView field={root} scope={scope} />
      <Issues field={root} scope={scope} />
    </div>
  );
}

function FieldView({ field, scope }: { field: Field; scope: FieldScope }) {
  const { input } = field;
  const isGroup = input.kind === 'object' || input.kind === 'list' || input.kind === 'boolean';
  const body = (
    <>
      {field.description && (
        <p class="field-description" id={idOf(field, 'about')}>
          {field.description}
        </p>
      )}
      <Choices field={field} scope={scope} />
      {field.value === null ? <p class="field-null">null</p> : <FieldInputView field={field} scope={scope} />}
      <Hints field={field} scope={scope} />
      <Issues field={field} scope={scope} />
    </>
  );
  const head = (
    <div class="field-head">
      {isGroup ? (
        <span id={idOf(field, 'label')} class="field-title">
          <Title field={field} />
        </span>
      ) : (
        <label for={idOf(field)}>
          <Title field={field} />
        </label>
      )}
      <FieldActions field={field} scope={scope} />
    </div>
  );
  const group = isGroup && { role: 'group' as const, 'aria-labelledby': idOf(field, 'label') };
  return (
    <div class={`field field-${input.kind}`} {...group}>
      {head}
      {body}
    </div>
  );
}

function Title({ field }: { field: Field }) {
  return (
    <>
      <span class="field-label">{field.label}</span>
      {field.label !== field.name && !field.isNamedHere && <code class="field-name">{field.name}</code>}
      {field.isRequired && typeof field.path.at(-1) === 'string' && <span class="required">required</span>}
      {field.isDeprecated && <span class="badge">deprecated</span>}
    </>
  );
}

/** What makes a value null, empty or absent. */
function FieldActions({ field, scope }: { field: Field; scope: FieldScope }) {
  const { path, value, input } = field;
  const set = (next: Json | undefined) => scope.change(setValue(scope.context.state, path, next));
  const isItem = typeof path.at(-1) === 'number';
  const parts = [
    ...(input.kind === 'text' && value === undefined ? [{ label: 'Send empty text', act: () => set('') }] : []),
    ...(field.isNullable && value !== null ? [{ label: 'Send null', act: () => set(null) }] : []),
    ...(value !== undefined && !isItem && (!field.isRequired || value === null || value === '') && !field.isNamedHere
      ? [{ label: 'Do not send', act: () => scope.change(remove(scope.context.state, path)) }]
      : []),
  ];
  return (
    <span class="field-actions">
      {value === '' && <span class="badge">empty text</span>}
      {parts.map(({ label, act }) => (
        <button key={label} type="button" class="quiet small" aria-label={`${label}: ${field.label}`} onClick={act}>
          {label}
        </button>
      ))}
    </span>
  );
}

function Choices({ field, scope }: { field: Field; scope: FieldScope }) {
  return (
    <>
      {field.choices.map((choice, index) => (
        <label key={choice.key} class="choice">
          <span>{field.choices.length > 1 ? `Kind ${index + 1}` : 'Kind'}</span>
          <select
            aria-label={`Kind of ${field.label}`}
            value={String(choice.selected)}
            onChange={({ currentTarget }) =>
              scope.change(choose(scope.context, field, choice, Number(currentTarget.value)))
            }
          >
            {choice.options.map((option, at) => (
              <option key={at} value={String(at)}>
                {option.label}
              </option>
            ))}
          </select>
        </label>
      ))}
    </>
  );
}

function FieldInputView({ field, scope }: { field: Field; scope: FieldScope }) {
  const { input } = field;
  switch (input.kind) {
    case 'text':
      return <TextInput field={field} scope={scope} />;
    case 'number':
      return <NumberInput field={field} scope={scope} />;
    case 'boolean':
      return <BooleanInput field={field} scope={scope} />;
    case 'constants':
      return <ConstantInput field={field} scope={scope} options={input.options} />;
    case 'object':
      return <ObjectFields field={field} scope={scope} input={input} />;
    case 'list':
      return <ListFields field={field} scope={scope} input={input} />;
    case 'json':
      return <JsonInput field={field} scope={scope} />;
  }
}

const idOf = ({ pointer }: Field, part = '') => `field${pointer}${part && `~${part}`}`;

function inputAttributes(field: Field, scope: FieldScope) {
  const shown = shownIssues(field, scope);
  return {
    id: idOf(field),
    'aria-invalid': shown.length > 0,
    'aria-required': field.isRequired,
    'aria-describedby': `${idOf(field, 'about')} ${idOf(field, 'hint')} ${idOf(field, 'issues')}`,
  } as const;
}

function placeholderOf(field: Field): string {
  if (field.default !== undefined) return `Default: ${textOf(field.default)}`;
  const [example] = field.examples;
  if (example !== undefined) return `For example ${textOf(example)}`;
  return field.isRequired ? '' : 'Not sent';
}

const textOf = (value: Json) => (typeof value === 'string' ? value : writeJson(value));

function TextInput({ field, scope }: { field: Field; scope: FieldScope }) {
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

/** The text stays as it is typed, as long as it means the value. */
function NumberInput({ field, scope }: { field: Field; scope: FieldScope }) {
  const shown = isNumber(field.value) ? numberText(field.value) : typeof field.value === 'string' ? field.value : '';
  const [typed, setTyped] = useState(shown);
  const meant = typeNumber(scope.context.state, field, typed);
  const text = isSameJson(meant.value, scope.context.state.value) ? typed : shown;
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

function BooleanInput({ field, scope }: { field: Field; scope: FieldScope }) {
  const options: readonly (readonly [string, boolean | undefined])[] = [
    ['true', true],
    ['false', false],
    ...(field.isRequired || field.isNamedHere ? [] : ([['not sent', undefined]] as const)),
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

function ConstantInput({
  field,
  scope,
  options,
}: {
  field: Field;
  scope: FieldScope;
  options: readonly { value: Json; title?: string; description?: string }[];
}) {
  const selected = options.findIndex(({ value }) => field.value !== undefined && isSameJson(value, field.value));
  const isOther = field.value !== undefined && selected < 0;
  const about = options[selected]?.description;
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
      {about && <p class="hint">{about}</p>}
    </>
  );
}

function ObjectFields({ field, scope, input }: { field: Field; scope: FieldScope; input: ObjectInput }) {
  const isRoot = field.path.length === 0;
  if (field.value === undefined && !isRoot && !field.isRequired) return <AddButton field={field} scope={scope} />;
  const own = input.members.filter(({ isOfOtherAction }) => !isOfOtherAction);
  const others = input.members.filter(({ isOfOtherAction }) => isOfOtherAction);
  const properties = own.some(({ isNamedHere }) => !isNamedHere);
  return (
    <div class={isRoot ? 'fields' : 'fields fields-nested'}>
      {own.map((member) =>
        member.isNamedHere ? (
          <NamedMember key={member.pointer} field={member} scope={scope} />
        ) : (
          <FieldView key={member.pointer} field={member} scope={scope} />
        ),
      )}
      {others.length > 0 && (
        <details class="others">
          <summary>Parameters of other actions ({others.length})</summary>
          {others.map((member) => (
            <FieldView key={member.pointer} field={member} scope={scope} />
          ))}
        </details>
      )}
      {input.additional !== undefined &&
        (properties || isRoot ? (
          <details class="others">
            <summary>Further members</summary>
            <AddMember field={field} scope={scope} />
          </details>
        ) : (
          <AddMember field={field} scope={scope} />
        ))}
    </div>
  );
}

function AddButton({ field, scope }: { field: Field; scope: FieldScope }) {
  return (
    <button type="button" id={idOf(field)} class="add" onClick={() => scope.change(addValue(scope.context, field))}>
      Add {field.label}
    </button>
  );
}

function NamedMember({ field, scope }: { field: Field; scope: FieldScope }) {
  const [name, setName] = useState(field.name);
  useEffect(() => setName(field.name), [field.name]);
  const rename = () => {
    const next = renameMember(scope.context.state, field.path, name);
    if (next === scope.context.state) setName(field.name);
    else scope.change(next);
  };
  return (
    <div class="named-member">
      <div class="named-member-head">
        <input
          type="text"
          aria-label={`Name of ${field.name}`}
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
          onChange={rename}
        />
        <button
          type="button"
          class="quiet small"
          aria-label={`Remove ${field.name}`}
          onClick={() => scope.change(remove(scope.context.state, field.path))}
        >
          Remove
        </button>
      </div>
      <FieldView field={field} scope={scope} />
    </div>
  );
}

function AddMember({ field, scope }: { field: Field; scope: FieldScope }) {
  const [name, setName] = useState('');
  const isTaken =
    field.input.kind === 'object' &&
    field.input.members.some((member) => member.name === name && (member.value !== undefined || !member.isNamedHere));
  const add = () => {
    scope.change(addMember(scope.context, field, name));
    setName('');
  };
  return (
    <div class="add-member">
      <input
        type="text"
        aria-label={`Name of a new member of ${field.label}`}
        placeholder="Name"
        value={name}
        onInput={({ currentTarget }) => setName(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || isTaken) return;
          event.preventDefault();
          add();
        }}
      />
      <button type="button" class="add" disabled={isTaken} onClick={add}>
        Add a member
      </button>
      {isTaken && <span class="issue">This name is taken.</span>}
    </div>
  );
}

function ListFields({ field, scope, input }: { field: Field; scope: FieldScope; input: ListInput }) {
  if (field.value === undefined && !field.isRequired) return <AddButton field={field} scope={scope} />;
  const { items } = input;
  const move = (from: number, to: number) => scope.change(moveItem(scope.context.state, field.path, from, to));
  return (
    <div class="fields fields-nested">
      {items.length === 0 && <p class="hint">The list is empty.</p>}
      <ol class="items">
        {items.map((item, index) => (
          <li key={item.pointer}>
            <FieldView field={item} scope={scope} />
            <span class="item-actions">
              {index >= input.tupleLength && (
                <>
                  <button
                    type="button"
                    class="quiet small"
                    aria-label={`Move ${item.label} of ${field.label} up`}
                    disabled={index === input.tupleLength}
                    onClick={() => move(index, index - 1)}
                  >
                    ↑
                  </button>
                  <button
                    type="button"
                    class="quiet small"
                    aria-label={`Move ${item.label} of ${field.label} down`}
                    disabled={index === items.length - 1}
                    onClick={() => move(index, index + 1)}
                  >
                    ↓
                  </button>
                </>
              )}
              <button
                type="button"
                class="quiet small"
                aria-label={`Remove ${item.label} of ${field.label}`}
                onClick={() => scope.change(remove(scope.context.state, item.path))}
              >
                Remove
              </button>
            </span>
          </li>
        ))}
      </ol>
      {input.next !== undefined && (
        <button
          type="button"
          id={idOf(field)}
          class="add"
          aria-label={`Add an item to ${field.label}`}
          onClick={() => scope.change(addItem(scope.context, field))}
        >
          Add an item
        </button>
      )}
    </div>
  );
}

/** Where no field can be made: JSON. */
function JsonInput({ field, scope }: { field: Field; scope: FieldScope }) {
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

function Hints({ field, scope }: { field: Field; scope: FieldScope }) {
  const examples = field.examples.filter((example) => field.value === undefined || !isSameJson(example, field.value));
  const offered = field.input.kind === 'object' ? examples : examples.slice(0, 4);
  if (field.rules.length === 0 && offered.length === 0) return null;
  return (
    <p class="hint" id={idOf(field, 'hint')}>
      {field.rules.join(', ')}
      {offered.map((example, index) => (
        <button
          key={index}
          type="button"
          class="quiet small example"
          title="Take this example"
          onClick={() => scope.change(setValue(scope.context.state, field.path, example))}
        >
          {textOf(example).slice(0, 60)}
        </button>
      ))}
    </p>
  );
}

/** A missing value is reported after the first try. */
function shownIssues(field: Field, scope: FieldScope): readonly string[] {
  return field.value === undefined && !scope.isTried ? [] : field.issues;
}

function Issues({ field, scope }: { field: Field; scope: FieldScope }) {
  const shown = shownIssues(field, scope);
  const box = useRef<HTMLDivElement>(null);
  return (
    <div ref={box} id={idOf(field, 'issues')} aria-live="polite">
      {shown.map((issue) => (
        <p key={issue} class="issue">
          {issue}
        </p>
      ))}
    </div>
  );
}
