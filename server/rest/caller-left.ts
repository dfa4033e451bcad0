/** The caller closed its connection before its request was complete: nobody's fault here. */
export class CallerLeftError extends Error {
  constructor() {
    super('the caller left before its request was complete');
    this.name = 'CallerLeftError';
  }
}
