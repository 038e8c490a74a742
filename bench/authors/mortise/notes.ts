import { definePlugin } from '@mortise/plugin';
import sqlite from 'node-sqlite3-wasm';
import { z } from 'zod';

export default definePlugin({
  register(api) {
    const db = new sqlite.Database(`${api.dataDir}/notes.db`);
    db.run('CREATE TABLE IF NOT EXISTS notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL)');
    api.onDispose(() => db.close());

    api.defineTool({
      name: 'save_note',
      title: 'Save a note',
      description: 'Saves a note, or changes the note with that id.',
      inputSchema: { text: z.string(), id: z.int().optional() },
      run({ text, id = null }) {
        const sql = 'INSERT INTO notes VALUES (?, ?) ON CONFLICT DO UPDATE SET text = excluded.text RETURNING id';
        const row = db.get(sql, [id, text]) as { id: number };
        api.resourceUpdated(`note://${row.id}`);
        return row;
      },
    });
    api.defineTool({
      name: 'find_notes',
      title: 'Find notes',
      description: 'Finds the notes that contain a text.',
      inputSchema: { text: z.string() },
      run: ({ text }) => ({ notes: db.all('SELECT * FROM notes WHERE text LIKE ?', [`%${text}%`]) }),
    });
    api.registerResource({
      uriTemplate: 'note://{id}',
      name: 'note',
      mimeType: 'text/plain',
      read: (_, { id }) => db.get('SELECT text FROM notes WHERE id = ?', [Number(id)]) as { text: string } | null,
    });
  },
});
