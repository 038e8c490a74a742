import { FastMCP, UserError } from 'fastmcp';
import sqlite from 'node-sqlite3-wasm';
import { z } from 'zod';

const db = new sqlite.Database(process.env.NOTES_DB ?? 'notes.db');
db.run('CREATE TABLE IF NOT EXISTS notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL)');
process.on('exit', () => db.close());

const server = new FastMCP({ name: 'notes', version: '1.0.0' });
server.addTool({
  name: 'save_note',
  description: 'Saves a note, or changes the note with that id.',
  parameters: z.object({ text: z.string(), id: z.int().optional() }),
  async execute({ text, id = null }) {
    const sql = 'INSERT INTO notes VALUES (?, ?) ON CONFLICT DO UPDATE SET text = excluded.text RETURNING id';
    const row = db.get(sql, [id, text]) as { id: number };
    await server.sendResourceUpdated(`note://${row.id}`);
    return JSON.stringify(row);
  },
});
server.addTool({
  name: 'find_notes',
  description: 'Finds the notes that contain a text.',
  parameters: z.object({ text: z.string() }),
  async execute({ text }) {
    return JSON.stringify({ notes: db.all('SELECT * FROM notes WHERE text LIKE ?', [`%${text}%`]) });
  },
});
server.addResourceTemplate({
  uriTemplate: 'note://{id}',
  name: 'note',
  mimeType: 'text/plain',
  arguments: [{ name: 'id', required: true }],
  async load({ id }) {
    const note = db.get('SELECT text FROM notes WHERE id = ?', [id]) as { text: string } | undefined;
    if (!note) throw new UserError(`There is no note ${id}`);
    return { text: note.text };
  },
});
await server.start({ transportType: 'stdio' });
