@rem npm scripts begin with exec, so that on other systems no shell stands between npm and the program. Windows has no exec: this is it.
@%*
