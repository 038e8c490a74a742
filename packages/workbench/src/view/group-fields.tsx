import { useState } from 'preact/hooks';
import { addItem, addMember, addValue, moveItem, remove, renameMember } from '../form/edit-form.js';
import type { ListInput, ObjectInput } from '../form/field.js';
import { isObject } from '../json/json.js';
import { type FieldProps, idOf } from './field-scope.js';

export function ObjectFields({ field, scope, input }: FieldProps & { input: ObjectInput }) {
  const isRoot = field.path.length === 0;
  if (field.value === undefined && !isRoot && !field.isRequired) return <AddButton field={field} scope={scope} />;
  const members = input.members.filter(({ isOfOtherAction }) => !isOfOtherAction);
  const otherMembers = input.members.filter(({ isOfOtherAction }) => isOfOtherAction);
  const isActionChosen = isObject(field.value) && typeof field.value.action === 'string';
  const hasProperties = members.some(({ isNamedByUser }) => !isNamedByUser);
  return (
    <div class={isRoot ? 'fields' : 'fields fields-nested'}>
      {members.map((member) =>
        member.isNamedByUser ? (
          <NamedMember key={member.pointer} field={member} scope={scope} />
        ) : (
          <scope.View key={member.pointer} field={member} scope={scope} />
        ),
      )}
      {otherMembers.length > 0 && (
        <details class="others">
          <summary>
            {isActionChosen ? 'Parameters of other actions' : 'Parameters of the actions'} ({otherMembers.length})
          </summary>
          {otherMembers.map((member) => (
            <scope.View key={member.pointer} field={member} scope={scope} />
          ))}
        </details>
      )}
      {input.additional !== undefined &&
        (hasProperties || isRoot ? (
          <details class="others">
            <summary>Additional properties</summary>
            <AddMember field={field} scope={scope} />
          </details>
        ) : (
          <AddMember field={field} scope={scope} />
        ))}
    </div>
  );
}

function AddButton({ field, scope }: FieldProps) {
  return (
    <button type="button" id={idOf(field)} class="add" onClick={() => scope.change(addValue(scope.context, field))}>
      Add {field.label}
    </button>
  );
}

function NamedMember({ field, scope }: FieldProps) {
  const [name, setName] = useState(field.name);
  const rename = (newName: string) => {
    const next = renameMember(scope.context.state, field.path, newName);
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
          onChange={({ currentTarget }) => rename(currentTarget.value)}
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
      <scope.View field={field} scope={scope} />
    </div>
  );
}

function AddMember({ field, scope }: FieldProps) {
  const [name, setName] = useState('');
  const isTaken =
    field.input.kind === 'object' &&
    field.input.members.some((member) => member.name === name && (member.value !== undefined || !member.isNamedByUser));
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

export function ListFields({ field, scope, input }: FieldProps & { input: ListInput }) {
  if (field.value === undefined && !field.isRequired) return <AddButton field={field} scope={scope} />;
  const { items } = input;
  const move = (from: number, to: number) => scope.change(moveItem(scope.context.state, field.path, from, to));
  return (
    <div class="fields fields-nested">
      {items.length === 0 && <p class="hint">The list is empty.</p>}
      <ol class="items">
        {items.map((item, index) => (
          <li key={item.pointer}>
            <scope.View field={item} scope={scope} />
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
