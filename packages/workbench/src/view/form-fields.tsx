import { visibleText } from 'mortise/util/visible-text';
import { choose, remove, setValue } from '../form/edit-form.js';
import type { Field } from '../form/field.js';
import type { FormContext, FormState } from '../form/form-state.js';
import { isSameJson, type Json } from '../json/json.js';
import type { ToolForm } from '../state/forms.js';
import { BooleanInput, ConstantInput, JsonInput, NumberInput, TextInput } from './field-inputs.js';
import { type FieldProps, type FieldScope, idOf, shownIssues, textOf } from './field-scope.js';
import { ListFields, ObjectFields } from './group-fields.js';

/** The fields of a tool's form. @param refusals the server's errors about these arguments, by JSON Pointer */
export function FormFields({
  form,
  context,
  root,
  refusals,
}: {
  form: ToolForm;
  context: FormContext;
  root: Field;
  refusals: ReadonlyMap<string, string>;
}) {
  const change = (next: FormState) => {
    form.state.value = next;
    form.draft.value = undefined;
    form.violations.value = [];
  };
  return <RootFields root={root} scope={{ context, isTried: form.isTried.value, change, refusals }} />;
}

export function RootFields({ root, scope: rootScope }: { root: Field; scope: Omit<FieldScope, 'View'> }) {
  const scope = { ...rootScope, View: FieldView };
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

function FieldView({ field, scope }: FieldProps) {
  const { input } = field;
  const isGroup = input.kind === 'object' || input.kind === 'list' || input.kind === 'boolean';
  const body = (
    <>
      {field.description && (
        <p class="field-description" id={idOf(field, 'about')}>
          {visibleText(field.description)}
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
      {field.label !== field.name && !field.isNamedByUser && <code class="field-name">{field.name}</code>}
      {field.isRequired && typeof field.path.at(-1) === 'string' && <span class="required">required</span>}
      {field.isDeprecated && <span class="badge">deprecated</span>}
    </>
  );
}

/** The buttons that make a value null, empty or absent. */
function FieldActions({ field, scope }: FieldProps) {
  const { path, value, input } = field;
  const set = (next: Json | undefined) => scope.change(setValue(scope.context.state, path, next));
  const isItem = typeof path.at(-1) === 'number';
  const actions = [
    ...(input.kind === 'text' && value === undefined ? [{ label: 'Send empty text', act: () => set('') }] : []),
    ...(field.isNullable && value !== null ? [{ label: 'Send null', act: () => set(null) }] : []),
    ...(value !== undefined && !isItem && (!field.isRequired || value === null || value === '') && !field.isNamedByUser
      ? [{ label: 'Do not send', act: () => scope.change(remove(scope.context.state, path)) }]
      : []),
  ];
  return (
    <span class="field-actions">
      {value === '' && <span class="badge">empty text</span>}
      {actions.map(({ label, act }) => (
        <button key={label} type="button" class="quiet small" aria-label={`${label}: ${field.label}`} onClick={act}>
          {label}
        </button>
      ))}
    </span>
  );
}

function Choices({ field, scope }: FieldProps) {
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
            {choice.options.map((option, optionIndex) => (
              <option key={optionIndex} value={String(optionIndex)}>
                {option.label}
              </option>
            ))}
          </select>
        </label>
      ))}
    </>
  );
}

function FieldInputView({ field, scope }: FieldProps) {
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

function Hints({ field, scope }: FieldProps) {
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

function Issues({ field, scope }: FieldProps) {
  const shown = shownIssues(field, scope);
  return (
    <div id={idOf(field, 'issues')} aria-live="polite">
      {shown.map((issue) => (
        <p key={issue} class="issue">
          {issue}
        </p>
      ))}
    </div>
  );
}
