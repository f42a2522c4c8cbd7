import React, { useState } from 'react' // => import react:default as React; import react:useState
import * as UI from './ui' // => import ./ui as UI
import { Button, type Props, title, disabled } from './ui' // => import ./ui:Button; import ./ui:Props (type_only); import ./ui:disabled; import ./ui:title
import { save } from './api' // => import ./api:save

/** Shows one page. */
export const Page: React.FC<Props> = ({ title, ...rest }) => { // => def function Page; read+type ./ui:Props; type react:default.FC
  const [open, setOpen] = useState<boolean>(false) // => call react:useState
  const onClick = async () => { // => def function Page.onClick
    await save(title) // => call ./api:save
    setOpen(!open)
  }
  return (
    <>
      <title title={title} disabled save="save it" onClick={onClick}> {/* => read Page.onClick */}
        save it, it's Button
      </title>
      <Button disabled={disabled} {...rest}>{save}</Button> {/* => call ./ui:Button; read ./api:save; read ./ui:disabled */}
      <UI.Card<Props> // => call ./ui.Card
        multi="a
          save"
      />
    </>
  )
}

export default function App() { // => def function App
  return <Page title="save" /> // => call Page
}

const pick = <T,>(value: T): T => value // => def function pick

export class Old extends React.Component<Props> { // => base react:default.Component; def class Old; type ./ui:Props
  state = { open: pick(true) } // => call pick
  render() { // => def method Old.render
    return <Button title={this.props.title} /> // => call ./ui:Button; read Old.props; read Old.props.title
  }
}
