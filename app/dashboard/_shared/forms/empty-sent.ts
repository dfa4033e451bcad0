/** Empties the inputs of a form that was sent; what was chosen, and typed since, stays. */
export function emptySent(form: HTMLFormElement, sent: FormData): void {
  for (const field of form.elements) {
    if (field instanceof HTMLInputElement && field.value === sent.get(field.name)) field.value = '';
  }
}
