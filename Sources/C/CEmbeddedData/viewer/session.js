// The right to look: a token in the link becomes a cookie, and leaves the address bar.
export class Session {
  static async open() {
    const fragment = new URLSearchParams(location.hash.slice(1));
    const token = fragment.get('token');
    if (token === null) return;
    fragment.delete('token');
    // The certificate's fingerprint is for programs; a browser has checked it before this ran.
    fragment.delete('fp');
    const rest = fragment.toString();
    // Gone before anything is sent, so that neither history nor a screenshot keeps it.
    history.replaceState(history.state, '', location.pathname + location.search + (rest ? '#' + rest : ''));
    const response = await fetch('/api/session', {
      method: 'POST', headers: { Authorization: `Bearer ${token}` },
    });
    if (!response.ok) throw new Error('This link is no longer valid: open the one that the running server printed.');
  }
}
