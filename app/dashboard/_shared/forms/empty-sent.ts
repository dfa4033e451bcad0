/** Empties the inputs of a sent form; choices, and text typed since, stay. */
export function emptySent(form: HTMLFormElement, sent: FormData): void {
  for (const field of form.elements) {
    const isTyped = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement;
    if (isTyped && field.value === sent.get(field.name)) field.value = '';
  }
}
