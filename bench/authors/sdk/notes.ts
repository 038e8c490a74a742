import { McpServer, ResourceNotFoundError, ResourceTemplate } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import sqlite from 'node-sqlite3-wasm';
import { z } from 'zod';

const db = new sqlite.Database(process.env.NOTES_DB ?? 'notes.db');
db.run('CREATE TABLE IF NOT EXISTS notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL)');
process.on('exit', () => db.close());

const server = new McpServer({ name: 'notes', version: '1.0.0' }, { capabilities: { resources: { subscribe: true } } });
const watched = new Set<string>();
server.server.setRequestHandler('resources/subscribe', ({ params: { uri } }) => {
  watched.add(uri);
  return {};
});
server.server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
  watched.delete(uri);
  return {};
});
server.registerTool(
  'save_note',
  {
    title: 'Save a note',
    description: 'Saves a note, or changes the note with that id.',
    inputSchema: z.object({ text: z.string(), id: z.int().optional() }),
  },
  async ({ text, id = null }) => {
    const sql = 'INSERT INTO notes VALUES (?, ?) ON CONFLICT DO UPDATE SET text = excluded.text RETURNING id';
    const row = db.get(sql, [id, text]) as { id: number };
    const uri = `note://${row.id}`;
    if (watched.has(uri)) await server.server.sendResourceUpdated({ uri });
    return { content: [{ type: 'text', text: JSON.stringify(row) }], structuredContent: row };
  },
);
server.registerTool(
  'find_notes',
  {
    title: 'Find notes',
    description: 'Finds the notes that contain a text.',
    inputSchema: z.object({ text: z.string() }),
  },
  ({ text }) => {
    const structuredContent = { notes: db.all('SELECT * FROM notes WHERE text LIKE ?', [`%${text}%`]) };
    return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
  },
);
server.registerResource(
  'note',
  new ResourceTemplate('note://{id}', { list: undefined }),
  { mimeType: 'text/plain' },
  (uri, { id }) => {
    const note = db.get('SELECT text FROM notes WHERE id = ?', [Number(id)]) as { text: string } | undefined;
    if (!note) throw new ResourceNotFoundError(uri.href);
    return { contents: [{ uri: uri.href, mimeType: 'text/plain', text: note.text }] };
  },
);
await server.connect(new StdioServerTransport());
