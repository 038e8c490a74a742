import { joinKey } from './lookup.js';
import { indexedItems, type SourcedObject, type SourcedValue } from './sourced-value.js';

/** The settings without those of these keys, as messages name them: `Auth.Keys[0].Key`. Case does not count. */
export function leaveOut(tree: SourcedObject, keys: ReadonlySet<string>): SourcedObject {
  const wanted = new Set([...keys].map((key) => key.toLowerCase()));
  const without = (value: SourcedValue, key: string): SourcedValue => {
    const items = value.kind === 'list' ? value.items : indexedItems(value);
    if (items) {
      const kept = items.flatMap((item, at) => {
        const itemKey = `${key}[${at}]`;
        return wanted.has(itemKey.toLowerCase()) ? [] : [without(item, itemKey)];
      });
      return { kind: 'list', items: kept, origin: value.origin };
    }
    if (value.kind !== 'object') return value;
    const members = value.members.flatMap((member) => {
      const memberKey = joinKey(key, member.key);
      return wanted.has(memberKey.toLowerCase()) ? [] : [{ ...member, value: without(member.value, memberKey) }];
    });
    return { ...value, members };
  };
  return without(tree, '') as SourcedObject;
}
