/** An e-mail address, which is broken before the `@` if there is no room for it. */
export const EmailText = ({ email }: { readonly email: string }) => {
  const at = Math.max(0, email.lastIndexOf('@'))
  return (
    <bdi>
      {email.slice(0, at)}
      <wbr />
      {email.slice(at)}
    </bdi>
  )
}
