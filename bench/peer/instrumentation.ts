export function register(): void {
  // Without this file Next would take the gateway's, two folders up.
}
