project.getContextValue('codegen-database').close()
