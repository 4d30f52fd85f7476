// The six ops, dynamic rows. Tests substitute other types for f32.

func.func @args(%x: tensor<?x24xf32>) -> tensor<?x24xf32> {
  %y = fakequant.args %x : tensor<?x24xf32>
  return %y : tensor<?x24xf32>
}

func.func @args_gradient(%g: tensor<?x24xf32>, %x: tensor<?x24xf32>) -> tensor<?x24xf32> {
  %dx = fakequant.args_gradient %g, %x : tensor<?x24xf32>, tensor<?x24xf32>
  return %dx : tensor<?x24xf32>
}

func.func @vars(%x: tensor<?x24xf32>, %min: tensor<f32>, %max: tensor<f32>) -> tensor<?x24xf32> {
  %y = fakequant.vars %x, %min, %max : tensor<?x24xf32>, tensor<f32>, tensor<f32>
  return %y : tensor<?x24xf32>
}

func.func @vars_gradient(%g: tensor<?x24xf32>, %x: tensor<?x24xf32>, %min: tensor<f32>, %max: tensor<f32>) -> (tensor<?x24xf32>, tensor<f32>, tensor<f32>) {
  %dx, %dmin, %dmax = fakequant.vars_gradient %g, %x, %min, %max : tensor<?x24xf32>, tensor<?x24xf32>, tensor<f32>, tensor<f32>
  return %dx, %dmin, %dmax : tensor<?x24xf32>, tensor<f32>, tensor<f32>
}

func.func @vars_per_channel(%x: tensor<?x24xf32>, %min: tensor<24xf32>, %max: tensor<24xf32>) -> tensor<?x24xf32> {
  %y = fakequant.vars_per_channel %x, %min, %max : tensor<?x24xf32>, tensor<24xf32>, tensor<24xf32>
  return %y : tensor<?x24xf32>
}

func.func @vars_per_channel_gradient(%g: tensor<?x24xf32>, %x: tensor<?x24xf32>, %min: tensor<24xf32>, %max: tensor<24xf32>) -> (tensor<?x24xf32>, tensor<24xf32>, tensor<24xf32>) {
  %dx, %dmin, %dmax = fakequant.vars_per_channel_gradient %g, %x, %min, %max : tensor<?x24xf32>, tensor<?x24xf32>, tensor<24xf32>, tensor<24xf32>
  return %dx, %dmin, %dmax : tensor<?x24xf32>, tensor<24xf32>, tensor<24xf32>
}
