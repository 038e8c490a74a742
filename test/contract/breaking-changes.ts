/** A JSON Schema as docs/spec/contract.schema.json uses it. */
interface Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
}

/** What of a change would break a program that reads results, each with its place (docs/spec/contract.md#compatibility). */
export function breakingChanges(before: Schema, now: Schema): string[] {
  const [old = {}, current = {}] = [before.$defs, now.$defs];
  return Object.entries(old).flatMap(([name, schema]) => {
    const next = current[name];
    return next === undefined ? [`${name} was removed`] : changesIn(schema, next, name);
  });
}

function changesIn(before: Schema, now: Schema, at: string): string[] {
  if (before.anyOf) return choiceChanges(before.anyOf, now.anyOf ?? [now], at);
  return [...valueChanges(before, now, at), ...memberChanges(before, now, at), ...itemChanges(before, now, at)];
}

/** Each choice is still there, with additions at most. */
function choiceChanges(before: readonly Schema[], now: readonly Schema[], at: string): string[] {
  return before.flatMap((choice, index) => {
    const found = now.map((candidate) => changesIn(choice, candidate, `${at}/anyOf/${index}`));
    return found.toSorted((a, b) => a.length - b.length)[0] ?? [`${at}/anyOf/${index} was removed`];
  });
}

function valueChanges(before: Schema, now: Schema, at: string): string[] {
  const texts = (['$ref', 'type', 'const'] as const)
    .filter((keyword) => JSON.stringify(before[keyword]) !== JSON.stringify(now[keyword]))
    .map(
      (keyword) => `${at}: ${keyword} was ${JSON.stringify(before[keyword])} and is ${JSON.stringify(now[keyword])}`,
    );
  const removed = (before.enum ?? []).filter((value) => !now.enum?.includes(value));
  return [...texts, ...removed.map((value) => `${at}: the value ${JSON.stringify(value)} was removed`)];
}

function memberChanges(before: Schema, now: Schema, at: string): string[] {
  const members = Object.entries(before.properties ?? {}).flatMap(([name, schema]) => {
    const next = now.properties?.[name];
    if (next === undefined) return [`${at}/${name} was removed`];
    const mayBeAbsent = before.required?.includes(name) && !now.required?.includes(name);
    return [...(mayBeAbsent ? [`${at}/${name} may now be absent`] : []), ...changesIn(schema, next, `${at}/${name}`)];
  });
  const [old, next] = [before.additionalProperties, now.additionalProperties];
  if (typeof old !== 'object') return members;
  return [...members, ...changesIn(old, typeof next === 'object' ? next : {}, `${at}/*`)];
}

function itemChanges(before: Schema, now: Schema, at: string): string[] {
  return before.items === undefined ? [] : changesIn(before.items, now.items ?? {}, `${at}[]`);
}
