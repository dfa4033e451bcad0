import { expect, test } from 'vitest';
import { field } from './visit.ts';

test('a field is text, and empty where there is none', () => {
  const form = new FormData();
  form.set('name', 'Ann');
  form.set('file', new Blob(['x']));
  form.set('long', 'x'.repeat(5_000));
  expect(field(form, 'name')).toBe('Ann');
  expect(field(form, 'file')).toBe('');
  expect(field(form, 'none')).toBe('');
  expect(field(form, 'long')).toHaveLength(2_000);
});
